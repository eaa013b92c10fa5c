/** Owner of the accounts that hold the cluster's own state, such as the clock. */
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';

/** The account at a marketplace's address on the chain. */
export interface Holder {
  /** Program that owns the account, base58. */
  readonly owner: string;
  readonly executable: boolean;
}

/** Whether nobody can sign for an account: one of the ticket program, a program, a sysvar. */
export function cannotSignFor(account: Holder, programId: string): boolean {
  return account.owner === programId || account.executable || account.owner === SYSVAR_OWNER;
}
