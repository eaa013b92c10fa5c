import { ACCOUNTS, type AccountName, DISCRIMINATOR_SIZE, sizeOf } from '../src/describe-program.ts';

/** @returns bytes of an account of the program, discriminator included */
export function accountSize(name: AccountName): number {
  const layout = ACCOUNTS.find((account) => account.name === name);
  if (!layout) throw new Error(`no account is called ${name}`);
  return DISCRIMINATOR_SIZE + sizeOf(layout.fields);
}
