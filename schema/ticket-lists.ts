import { type FilterQuery, raw } from '@mikro-orm/core';
import { ConsentGrant } from '../src/entities/consent-grant.ts';
import { Permit } from '../src/entities/permit.ts';
import { Proposal } from '../src/entities/proposal.ts';
import type { Ticket } from '../src/entities/ticket.ts';
import { uuidOf } from '../src/platform/identifier/type-id.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { AuditEntryType, pageOfEntries } from './audit-entry.ts';
import { builder } from './builder.ts';
import { FanType } from './fan.ts';
import { GrantType } from './grant.ts';
import { pageOf } from './lists.ts';
import { PermitType } from './permit.ts';
import { ProposalType } from './proposal.ts';
import { TicketNode } from './ticket.ts';

builder.objectFields(TicketNode, (t) => ({
  namedHolder: t.field({
    type: FanType,
    nullable: true,
    description: 'Whom the company named as holder last: the owner, unless the ticket was sold on or is moving.',
    resolve: ({ namedHolder }) => namedHolder?.id,
  }),
  grants: t.connection({
    type: GrantType,
    description: 'Grants that show it to an app now.',
    resolve: async (ticket, page, { context }) => pageOf(context, ConsentGrant, page, [await showing(context, ticket)]),
  }),
  history: t.connection({
    type: AuditEntryType,
    description: 'Entries in the audit log of it and its permit.',
    resolve: async ({ id }, page, { context }) => {
      const permit = await context.em.findOne(Permit, { ticket: id });
      const subjects = permit ? [id, permit.id, permit.tixPermitId] : [id];
      // looked up first, by subject: otherwise the planner would read the log in its order
      const own = (alias: string) =>
        `${alias}.id = any(array(select own.id from audit_entry own where own.subject in (${subjects.map(() => '?').join(', ')})))`;
      return pageOfEntries(context, { [raw(own, subjects)]: [] }, page);
    },
  }),
}));

/** The condition of grants that show a ticket; no grant matches if the ticket is hidden or has no known owner. */
async function showing({ em }: Pick<ServiceContext, 'em'>, ticket: Ticket): Promise<FilterQuery<ConsentGrant>> {
  const permit = await em.findOne(Permit, { ticket: ticket.id });
  if (!ticket.owner || permit === null || permit.revokedAt !== null) return { id: { $in: [] } };
  const { partner } = permit;
  return {
    fan: ticket.owner.id,
    revokedAt: null,
    ...(partner && { client: { partner: partner.id } }),
    $or: [{ mode: 'all_current_future' }, { ticketIds: { $contains: [uuidOf('tkt', ticket.id)] } }],
  };
}

builder.objectField(PermitType, 'openProposals', (t) =>
  t.loadableList({
    type: ProposalType,
    description: 'Proposals about it that have not ended.',
    load: async (ids: string[], { context }) => {
      const open = await context.em.find(Proposal, { subject: { $in: ids }, state: { $in: ['proposed', 'approved'] } });
      return ids.map((id) =>
        open.filter(
          ({ subject, state, expiresAt }) => subject === id && (state === 'approved' || expiresAt > context.now()),
        ),
      );
    },
    resolve: ({ id }) => id,
  }),
);
