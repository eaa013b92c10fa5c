import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, uuidOf } from '../../platform/identifier/type-id.ts';

/**
 * Locks a fan's tickets until the caller's transaction ends, before they are written into a grant: a transfer either comes
 * first and is seen here, or comes later and finds the grant that it must narrow. All calls lock permits in one order.
 * @throws DomainError `invalid_selection` where a ticket is no longer the fan's
 */
export async function holdTickets(em: Context['em'], fanId: Id<'usr'>, ticketIds: Id<'tkt'>[]): Promise<void> {
  if (ticketIds.length === 0) return;
  const uuids = ticketIds.map((id) => uuidOf('tkt', id));
  const held = await em.execute<unknown[]>(
    `select t.id from ticket t join permit p on p.ticket_id = t.id
     where t.id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) and t.owner_id = ?
     order by p.id for share of p, t`,
    [JSON.stringify(uuids), uuidOf('usr', fanId)],
  );
  if (held.length < uuids.length) {
    throw new DomainError('invalid_selection', 'One of these tickets is not yours any more. Load the page again.');
  }
}
