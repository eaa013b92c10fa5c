import type { PoolClient } from 'pg';
import { actorOf, requireRight, type SignedInStaff } from '../partners/rights.ts';
import { prepared } from '../platform/database/prepared.ts';
import { DomainError } from '../platform/errors.ts';
import { idOf, isId, tryUuidOf, type Uuid, uuidOf } from '../platform/identifier/type-id.ts';
import { after, DAY } from '../platform/time.ts';
import type { Plan } from './plan.ts';

/** Tickets that one person takes from their holders within a day without a second person (D-341). */
export const MOST_ALONE = 20;

/** The effects of rows need a second person. Nothing was applied. */
export class SecondPersonNeeded extends Error {
  /** What the rows do, in sentences for the person who decides. */
  readonly effects: string[];

  constructor(effects: string[]) {
    super('the rows take more tickets from their holders than one person may');
    this.name = 'SecondPersonNeeded';
    this.effects = effects;
  }
}

/** Of several calls of one person at the same time, each sees what those before it have taken. */
const lockPerson = prepared('select 1 from staff where id = $1 for no key update');

/** What a person has taken since a moment: tickets, and events that were hidden with theirs; `ofResale`: events and types with their resale. */
const readTaken = prepared<{ subject: string; ofResale: boolean }>(`
  select distinct subject, action = 'resale.changed' as "ofResale" from audit_entry
  where actor = $1 and at > $2 and (action = any('{ticket.transferred,ticket.withdrawn,event.cancelled,resale.changed}')
    or action = 'event.changed' and (details -> 'after' ->> 'ends_at')::timestamptz <= at)`);

const countTickets = prepared<{ count: number }>(`
  select count(*)::int as count from ticket t join ticket_type tt on tt.id = t.ticket_type_id
  where tt.event_id = any($1) and t.status = 'valid'`);

/** Tickets of types and events (`$1`) that are on sale, or were taken off sale since `$2` as they may be resold no longer. */
const countSales = prepared<{ count: number }>(`
  select count(distinct p.id)::int as count from (
    select permit_id from listing where closed_at is null
    union all select permit_id from custody_move where cause in ('not_for_resale', 'resale_over') and created_at > $2
  ) sale join permit p on p.id = sale.permit_id join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
  where tt.id = any($1) or tt.event_id = any($1)`);

/**
 * Lets a person in the console take tickets from their holders or off sale, or hide them with their event: after a fresh sign-in, with
 * a reason, and up to `MOST_ALONE` tickets within a day. For `RowSource.check`.
 * @throws DomainError `forbidden` for a token, `fresh_sign_in_required`, `invalid_request` without a reason; SecondPersonNeeded
 */
export function takesAlone(staff: SignedInStaff, reason: string | undefined) {
  return async (client: PoolClient, { takes: { tickets, events, resale }, now }: Plan): Promise<void> => {
    if (tickets.size + events.size + resale.size === 0) return;
    const since = after(now, -DAY);
    const ended = [...resale].map(({ id }) => id);
    const countOff = async (of: Uuid[]) => (await countSales(client, [of, since]))[0]?.count ?? 0;
    const offSale = await countOff(ended);
    if (tickets.size + events.size + offSale === 0) return;
    requireRight(staff, 'tickets:take', now);
    if (reason === undefined) {
      throw new DomainError('invalid_request', 'reason: say why tickets are taken from their holders, or hidden.');
    }
    await lockPerson(client, [uuidOf('stf', staff.id)]);
    const taken = await readTaken(client, [actorOf(staff), since]);
    const before = taken.flatMap(({ subject, ofResale }) => (ofResale ? [] : [subject]));
    const endedBefore = taken.flatMap(({ subject, ofResale }) =>
      ofResale ? (tryUuidOf('evt', subject) ?? tryUuidOf('typ', subject) ?? []) : [],
    );
    const hidden = [...events].map(({ id }) => id);
    const earlier = before.flatMap((subject) => tryUuidOf('evt', subject) ?? []);
    const count = async (of: Uuid[]) => (await countTickets(client, [of]))[0]?.count ?? 0;
    const given = [...tickets].map(({ id }) => idOf('tkt', id));
    const single = new Set([...given, ...before.filter((subject) => isId('tkt', subject))]);
    const affected =
      (await count([...new Set([...hidden, ...earlier])])) + (await countOff([...ended, ...endedBefore]));
    if (single.size + affected <= MOST_ALONE) return;
    const effects = await Promise.all(
      [...events].map(async ({ id, name, reference }) => {
        const affected = (await count([id])).toLocaleString('en');
        return `${name} (${reference}) no longer takes place: fans and apps no longer see its tickets (${affected}), their permits are withdrawn and listings closed.`;
      }),
    );
    if (given.length > 0) {
      effects.push(`Tickets get another holder or are withdrawn (${given.length}): ${listed([...tickets])}.`);
    }
    if (offSale > 0)
      effects.push(`Tickets that are on sale are taken off sale (${offSale}): they may no longer be resold.`);
    throw new SecondPersonNeeded(effects);
  };
}

const NAMED = 30;

function listed(tickets: readonly { reference: string }[]): string {
  const names = tickets.slice(0, NAMED).map(({ reference }) => reference);
  return [...names, ...(tickets.length > NAMED ? [`and ${tickets.length - NAMED} more`] : [])].join(', ');
}
