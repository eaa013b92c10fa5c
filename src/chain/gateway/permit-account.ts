import { PERMIT_STATES } from '@fan-api/ticket-program/description';
import type { AccountValues } from '../instruction/account-data.ts';

/** A Permit account as the service uses it. */
export interface PermitAccount {
  /** Wallet of the owner, base58. */
  owner: string;
  state: 'held' | 'listed';
  /** Who may transfer it while listed, base58; null while held. */
  marketplace: string | null;
  /** Lamports; 0 while held. */
  price: bigint;
  /** When this was so. */
  slot: number;
}

/** Reads the decoded fields of a Permit account. */
export function toPermit(account: AccountValues<'Permit'> & { slot: number }): PermitAccount {
  const listed = account.state === PERMIT_STATES.listed;
  return {
    owner: account.owner,
    state: listed ? 'listed' : 'held',
    marketplace: listed ? account.marketplace : null,
    price: account.price,
    slot: account.slot,
  };
}
