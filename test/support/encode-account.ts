import { type AccountValues, fieldsOf } from '@fan-api/cosign-policy/read-account';
import { ACCOUNT_DISCRIMINATORS, ACCOUNT_VERSION, type AccountName } from '@fan-api/ticket-program/description';
import { writeFields } from '../../src/chain/instruction/instructions.ts';

/** The data of an account, as the program writes it. @param values with a `version`, that of another program */
export function encodeAccount<Name extends AccountName>(
  name: Name,
  values: Omit<AccountValues<Name>, 'version'> & { version?: number },
): Buffer {
  const written = { version: ACCOUNT_VERSION, ...values } as unknown as AccountValues<Name>;
  return Buffer.concat([ACCOUNT_DISCRIMINATORS[name], writeFields(fieldsOf(name), written)]);
}
