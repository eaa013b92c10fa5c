import { type FilterQuery, raw } from '@mikro-orm/core';
import { Permit } from '../src/entities/permit.ts';
import { type Ticket, TicketType } from '../src/entities/ticket.ts';
import { Wallet } from '../src/entities/wallet.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { isId } from '../src/platform/identifier/type-id.ts';
import type { Mode } from '../src/platform/mode.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { literally } from './lists.ts';
import { BASE58, IS_SET_ASIDE, type PermitState } from './permit-condition.ts';

/** Filters of a list of tickets. */
export interface TicketFilter {
  mode?: Mode | null | undefined;
  eventId?: string | null | undefined;
  ticketTypeId?: string | null | undefined;
  fanId?: string | null | undefined;
  status?: Ticket['status'] | null | undefined;
  permitState?: PermitState | null | undefined;
  setAside?: boolean | null | undefined;
  search?: string | null | undefined;
}

/** SQL of what a permit `p` is in each state. */
const STATES: Record<PermitState, string> = {
  waiting: 'p.issued_at is null and p.revoked_at is null',
  issued: 'p.issued_at is not null and p.revoked_at is null',
  revoked: 'p.revoked_at is not null',
};

/** The filter as a condition on tickets. @throws DomainError `not_found` for a bad identifier */
export async function ticketCondition({ em }: Pick<ServiceContext, 'em'>, filter: TicketFilter) {
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
