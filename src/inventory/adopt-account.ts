import { isUnreadable } from '../chain/gateway/read-accounts.ts';
import type { Uuid } from '../platform/identifier/type-id.ts';
import type { NamedAccounts } from './named-accounts.ts';
import { type RowFault, rowFault } from './row-result.ts';

/** A permit that was issued elsewhere and that a ticket adopts. */
export interface AdoptedPermit {
  /** Of the Permit account, base58. */
  address: string;
  /** The onchain ticket ID, base58. */
  ticketId: string;
  /** The slot at which it was read. */
  slot: number;
}

/** Whether a row names another account than the stored one. One that names none does not. */
export function isAnother(named: string | undefined, stored: string): boolean {
  return named !== undefined && named !== stored;
}

/** Checks the Event account that the row of a new event names, and reserves it for this row. */
export function adoptEvent(accounts: NamedAccounts, address: string): { address: string } | RowFault {
  const fault = (reason: Parameters<typeof rowFault>[0]) => rowFault(reason, 'tix_event_id');
  if (accounts.away) return fault('cluster_away');
  const account = accounts.events.get(address);
  if (account === undefined) return fault('no_account');
  if (isUnreadable(account) || account.derived !== address) return fault('wrong_account');
  if (accounts.taken.has(address)) return fault('account_taken');
  accounts.taken.add(address);
  return { address };
}

/**
 * Checks the Permit account that the row of a new ticket names, and reserves it for this row. The chain decides who holds the permit,
 * so it is adopted only for the holder in whose wallet it is.
 * @param wanted the address of the event's account, and the holder whom the row names
 */
export function adoptPermit(
  accounts: NamedAccounts,
  address: string,
  wanted: { event: string; fan: Uuid },
): AdoptedPermit | RowFault {
  const fault = (reason: Parameters<typeof rowFault>[0]) => rowFault(reason, 'tix_permit_id');
  if (accounts.away) return fault('cluster_away');
  const account = accounts.permits.get(address);
  if (account === undefined) return fault('no_account');
  if (isUnreadable(account) || account.derived !== address) return fault('wrong_account');
  if (account.event !== wanted.event) return fault('wrong_event');
  const { ticketId, owner, slot } = account;
  if (accounts.taken.has(address) || accounts.taken.has(ticketId)) return fault('account_taken');
  const fan = accounts.fans.get(owner);
  if (fan === undefined) return fault('held_elsewhere');
  if (fan !== wanted.fan) return fault('held_by_another');
  accounts.taken.add(address).add(ticketId);
  return { address, ticketId, slot };
}
