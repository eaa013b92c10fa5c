import {
  ACCOUNT_DISCRIMINATORS,
  ACCOUNT_VERSION,
  ACCOUNTS,
  type AccountName,
  DISCRIMINATOR_SIZE,
  type Field,
  PERMIT_STATES,
  sizeOf,
} from '@fan-api/ticket-program/description';
import { ChainError } from './chain-error.ts';
import { type FieldValues, readFields } from './read-fields.ts';

type Described<Name extends AccountName> = Extract<(typeof ACCOUNTS)[number], { readonly name: Name }>;

/** The fields of an account of the ticket program: addresses in base58, ids as 32-byte views, `price` in lamports. */
export type AccountValues<Name extends AccountName> = FieldValues<Described<Name>['fields']>;

/** The zero address, where an account names nobody. */
export const NO_ADDRESS = '11111111111111111111111111111111';

const knownStates: readonly unknown[] = Object.values(PERMIT_STATES);

/** The exact length of an account's data, discriminator included, as the program creates it: for `dataSize` filters. */
export function accountDataLength(name: AccountName): number {
  return DISCRIMINATOR_SIZE + sizeOf(fieldsOf(name));
}

/** The kind of account by its discriminator; the rest of the data is not checked. */
export function accountKindOf(data: Uint8Array): AccountName | undefined {
  const head = Buffer.from(data.subarray(0, DISCRIMINATOR_SIZE));
  return ACCOUNTS.find(({ name }) => head.equals(ACCOUNT_DISCRIMINATORS[name]))?.name;
}

/**
 * Decodes the data of an account. The caller checks that the program owns it.
 * @throws ChainError `bad_account_data` for another discriminator, length, version or permit state
 */
export function decodeAccount<Name extends AccountName>(name: Name, data: Uint8Array): AccountValues<Name> {
  if (accountKindOf(data) !== name) throw new ChainError('bad_account_data', { detail: `no ${name}` });
  if (data.length !== accountDataLength(name)) {
    throw new ChainError('bad_account_data', { detail: `${name} of ${data.length} bytes` });
  }
  const values: Record<string, unknown> = readFields(fieldsOf(name), data.subarray(DISCRIMINATOR_SIZE));
  if (values.version !== ACCOUNT_VERSION) {
    throw new ChainError('bad_account_data', { detail: `${name} of version ${String(values.version)}` });
  }
  if ('state' in values && !knownStates.includes(values.state)) {
    throw new ChainError('bad_account_data', { detail: `permit state ${String(values.state)}` });
  }
  return values as AccountValues<Name>;
}

/** The fields of a kind of account, in their order. */
export function fieldsOf(name: AccountName): readonly Field[] {
  const described = ACCOUNTS.find((account) => account.name === name);
  if (described === undefined) throw new RangeError(`the program has no account ${name}`);
  return described.fields;
}
