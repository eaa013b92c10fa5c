import { type FilterQuery, raw } from '@mikro-orm/core';
import type { Event } from '../src/entities/event.ts';
import { Permit } from '../src/entities/permit.ts';
import { Ticket, TicketType } from '../src/entities/ticket.ts';
import { Wallet } from '../src/entities/wallet.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { isId } from '../src/platform/identifier/type-id.ts';
import type { Mode } from '../src/platform/mode.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { containing, literally } from './lists.ts';

/** The states of a permit, in order. */
export const PERMIT_STATES = ['waiting', 'issued', 'revoked'] as const;
export type PermitState = (typeof PERMIT_STATES)[number];

export function stateOf({ revokedAt, issuedAt }: Permit): PermitState {
  if (revokedAt) return 'revoked';
  return issuedAt ? 'issued' : 'waiting';
}

/** Filters of a list of permits. */
export interface PermitFilter {
  mode?: Mode | null | undefined;
  partnerId?: string | null | undefined;
  eventId?: string | null | undefined;
  fanId?: string | null | undefined;
  state?: PermitState | null | undefined;
  unread?: boolean | null | undefined;
  setAside?: boolean | null | undefined;
  search?: string | null | undefined;
}

/** SQL: whether the cluster refused to issue a permit of the queue `w`, so that it is tried apart from others. */
export const IS_SET_ASIDE = 'w.tries > 0 and w.signature is null and not w.closes';

/** SQL: whether a permit `p` waits to be issued, so a fan or an import waits for it. */
export const waitsIn = (p: string) =>
  `exists (select from waiting_permit w where w.permit_id = ${p}.id and w.retry_at is not null)`;

/** A search covers only this many of the newest matching ticket types. */
const MOST_TYPES = 50;

/** The filter as a condition on permits. @throws DomainError `not_found` for a bad identifier */
export async function permitCondition(context: Pick<ServiceContext, 'em'>, filter: PermitFilter) {
  const { mode, partnerId, eventId, fanId, state, unread, setAside, search } = filter;
  const conditions: FilterQuery<Permit>[] = [];
  // a test permit has a partner, one of production has none
  if (mode) conditions.push({ partner: mode === 'sandbox' ? { $ne: null } : null });
  if (partnerId) conditions.push({ partner: knownId('ptn', partnerId) });
  if (eventId) conditions.push(await ofEvents(context.em, { id: knownId('evt', eventId) }));
  if (fanId) conditions.push({ ticket: { owner: knownId('usr', fanId) } });
  if (state === 'revoked') conditions.push({ revokedAt: { $ne: null } });
  if (state === 'issued') conditions.push({ revokedAt: null, issuedAt: { $ne: null } });
  if (state === 'waiting') conditions.push({ revokedAt: null, issuedAt: null, [raw(waitsIn)]: [] });
  if (unread != null) {
    // without a join, so that the planner begins with the few rows of that table
    const waits = unread ? 'exists' : 'not exists';
    conditions.push({ [raw((alias) => `${waits} (select from unread_permit u where u.permit_id = ${alias}.id)`)]: [] });
  }
  if (setAside != null) {
    const is = setAside ? 'exists' : 'not exists';
    const query = (alias: string) =>
      `${is} (select from waiting_permit w where w.permit_id = ${alias}.id and ${IS_SET_ASIDE})`;
    conditions.push({ [raw(query)]: [] });
  }
  if (search?.trim()) conditions.push(await found(context, search.trim()));
  return { $and: conditions } satisfies FilterQuery<Permit>;
}

/** Matches an identifier, the company's reference, an address on the chain, or a part of the event's name, each with its own index. */
async function found({ em }: Pick<ServiceContext, 'em'>, text: string): Promise<FilterQuery<Permit>> {
  if (isId('perm', text)) return { id: text };
  if (isId('tkt', text)) return { ticket: text };
  if (isId('usr', text)) return { ticket: { owner: text } };
  if (isId('evt', text)) return ofEvents(em, { id: text });
  if (isId('typ', text)) return { ticket: { ticketType: text } };
  if (isId('ptn', text)) return { partner: text };
  const ticket = await em.findOne(Ticket, { reference: literally(text) });
  if (ticket) return { ticket: ticket.id };
  if (BASE58.test(text)) return byAddress(em, text);
  return ofEvents(em, { $or: [{ reference: literally(text) }, containing('name', text)] });
}

/** An address, or an onchain ticket ID. */
export const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

async function byAddress(em: ServiceContext['em'], address: string): Promise<FilterQuery<Permit>> {
  if ((await em.count(Permit, { tixPermitId: address })) > 0) return { tixPermitId: address };
  const ticket = await em.findOne(Ticket, { tixTicketId: address });
  if (ticket) return { ticket: ticket.id };
  const wallet = await em.findOne(Wallet, { address });
  if (wallet) return { ticket: { owner: wallet.fan.id } };
  return ofEvents(em, { tixEventId: address });
}

/** Looks up the ticket types first, which saves a join for every permit. */
async function ofEvents(em: ServiceContext['em'], event: FilterQuery<Event>): Promise<FilterQuery<Permit>> {
  const types = await em.find(TicketType, { event }, { orderBy: { id: 'desc' }, limit: MOST_TYPES });
  return { ticket: { ticketType: { $in: types.map(({ id }) => id) } } };
}
