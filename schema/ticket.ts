import { type FilterQuery, raw } from '@mikro-orm/core';
import type { Event } from '../src/entities/event.ts';
import { Permit } from '../src/entities/permit.ts';
import { TestUser } from '../src/entities/test-user.ts';
import { TICKET_STATUSES, Ticket, TicketType } from '../src/entities/ticket.ts';
import { Wallet } from '../src/entities/wallet.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { type Id, isId } from '../src/platform/identifier/type-id.ts';
import type { Mode } from '../src/platform/mode.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { builder, enumOf, forBoth, forPartners, right } from './builder.ts';
import { ModeType, TestEventType, TicketTypeType } from './event.ts';
import { FanType } from './fan.ts';
import { literally, pageOf } from './lists.ts';
import { entityType, queryById, rowBy } from './loaders.ts';
import { ownOrShared } from './own.ts';
import { PermitStateType, PermitType } from './permit.ts';
import { BASE58, IS_SET_ASIDE, type PermitState, waitsIn } from './permit-condition.ts';
import { AgeSort } from './sorts.ts';
import { TestUserType } from './test-user.ts';

/** Filters of a list of tickets. */
interface TicketFilter {
  mode?: Mode | null | undefined;
  eventId?: string | null | undefined;
  ticketTypeId?: string | null | undefined;
  fanId?: string | null | undefined;
  status?: Ticket['status'] | null | undefined;
  permitState?: PermitState | null | undefined;
  setAside?: boolean | null | undefined;
  search?: string | null | undefined;
}

/** SQL condition of each state on a permit `p`. */
const STATES: Record<PermitState, string> = {
  waiting: `p.issued_at is null and p.revoked_at is null and ${waitsIn('p')}`,
  issued: 'p.issued_at is not null and p.revoked_at is null',
  revoked: 'p.revoked_at is not null',
};

/** The filter as a condition on tickets. @throws DomainError `not_found` for a bad identifier */
async function ticketCondition({ em }: Pick<ServiceContext, 'em'>, filter: TicketFilter) {
  const { mode, eventId, ticketTypeId, fanId, status, permitState, setAside, search } = filter;
  const conditions: FilterQuery<Ticket>[] = [];
  // the company's tickets have references, test tickets have none
  if (mode) conditions.push({ reference: mode === 'production' ? { $ne: null } : null });
  if (eventId) {
    // looked up first, which saves a join for every ticket
    const types = await em.find(TicketType, { event: knownId('evt', eventId) });
    conditions.push({ ticketType: { $in: types.map(({ id }) => id) } });
  }
  if (ticketTypeId) conditions.push({ ticketType: knownId('typ', ticketTypeId) });
  if (fanId) conditions.push({ owner: knownId('usr', fanId) });
  if (status) conditions.push({ status });
  if (permitState) conditions.push(withPermit(STATES[permitState]));
  if (setAside != null) {
    const some = `exists (select from waiting_permit w where w.permit_id = p.id and ${IS_SET_ASIDE})`;
    conditions.push(withPermit(setAside ? some : `not ${some}`));
  }
  if (search?.trim()) conditions.push(await found(em, search.trim()));
  return { $and: conditions } satisfies FilterQuery<Ticket>;
}

/** @param condition SQL on the permit `p` of a ticket */
function withPermit(condition: string): FilterQuery<Ticket> {
  return { [raw((alias) => `exists (select from permit p where p.ticket_id = ${alias}.id and ${condition})`)]: [] };
}

/** Matches an identifier, an address on the chain, or the company's reference, each with its own index. */
async function found(em: ServiceContext['em'], text: string): Promise<FilterQuery<Ticket>> {
  if (isId('tkt', text)) return { id: text };
  if (isId('usr', text)) return { owner: text };
  if (isId('typ', text)) return { ticketType: text };
  const permit = isId('perm', text) ? { id: text } : BASE58.test(text) ? { tixPermitId: text } : undefined;
  const known = permit && (await em.findOne(Permit, permit));
  if (known) return { id: known.ticket.id };
  if (BASE58.test(text)) {
    const wallet = await em.findOne(Wallet, { address: text });
    if (wallet) return { owner: wallet.fan.id };
    return { $or: [{ tixTicketId: text }, { reference: literally(text) }] };
  }
  return { reference: literally(text) };
}

const TicketStatusType = enumOf('TicketStatus', TICKET_STATUSES, 'Only of a valid ticket the permit counts.');

export const TicketNode = entityType('Ticket', Ticket);

TicketNode.implement({
  description: 'A ticket and who holds it.',
  fields: (t) => ({
    ...forBoth({
      id: t.exposeID('id', { description: 'The `svc_ticket_id` of the Fan API.' }),
      tixTicketId: t.exposeString('tixTicketId', { description: 'The onchain ticket ID, base58.' }),
      purchasedAt: t.expose('purchasedAt', { type: 'DateTime' }),
      ticketType: t.field({ type: TicketTypeType, resolve: (ticket) => ticket.ticketType.id }),
    }),
    ...forPartners({
      holder: t.loadable({
        type: TestUserType,
        nullable: true,
        description:
          'The test user whose wallet holds it; null where the wallet is nobody’s here, or another partner’s test user’s.',
        load: async (ids: string[], call) => {
          const where = { $and: [{ fan: { $in: ids } }, ownOrShared(call)] } as FilterQuery<TestUser>;
          const users = await call.context.em.find(TestUser, where);
          const byFan = new Map<string, TestUser>(users.map((user) => [user.fan.id, user]));
          return ids.map((id) => byFan.get(id));
        },
        resolve: ({ owner }) => owner?.id ?? null,
      }),
      event: t.loadable({
        type: TestEventType,
        load: async (ids: string[], call) => {
          const where = { id: { $in: ids as Id<'typ'>[] } };
          const types = await call.context.em.find(TicketType, where, { populate: ['event'] });
          const byId = new Map<string, Event>(types.map(({ id, event }) => [id, event]));
          return ids.map((id) => byId.get(id) ?? new Error(`there is no ${id}`));
        },
        resolve: ({ ticketType }) => ticketType.id,
      }),
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'The company’s own reference; null for a test ticket.',
    }),
    label: t.exposeString('label', { nullable: true, description: 'The name of the seat.' }),
    status: t.expose('status', { type: TicketStatusType }),
    usedAt: t.expose('usedAt', { type: 'DateTime', nullable: true, description: 'Null unless its status is USED.' }),
    owner: t.field({
      type: FanType,
      nullable: true,
      description: 'Null while no known fan’s wallet holds the ticket.',
      resolve: (ticket) => ticket.owner?.id,
    }),
    permit: t.loadable({ type: PermitType, ...rowBy(Permit, 'ticket') }),
  }),
});

queryById('ticket', TicketNode, Ticket, 'tkt');

builder.queryFields((t) => ({
  tickets: t.connection({
    type: TicketNode,
    authScopes: right('console:read'),
    args: {
      mode: t.arg({ type: ModeType, description: 'Both if omitted.' }),
      eventId: t.arg.id(),
      ticketTypeId: t.arg.id(),
      fanId: t.arg.id({ description: 'Tickets that this fan holds now.' }),
      status: t.arg({ type: TicketStatusType }),
      permitState: t.arg({ type: PermitStateType }),
      setAside: t.arg.boolean({ description: 'Whether the cluster refused to issue their permits; both if omitted.' }),
      search: t.arg.string({
        description:
          'The company’s reference; the ID of a ticket, its permit, a ticket type or a fan; an onchain address or ticket ID.',
      }),
      sort: t.arg({ type: AgeSort }),
    },
    resolve: async (_, args, { context }) => pageOf(context, Ticket, args, [await ticketCondition(context, args)]),
  }),
}));
