import { type AccountValues, fieldsOf } from '@fan-api/cosign-policy/read-account';
import { ACCOUNT_DISCRIMINATORS, type AccountName } from '@fan-api/ticket-program/description';
import { writeFields } from './fields.ts';

/** Encodes the data of an account. @throws ChainError `bad_address` @throws RangeError for a value out of range */
export function encodeAccount<Name extends AccountName>(name: Name, values: AccountValues<Name>): Buffer {
  return Buffer.concat([ACCOUNT_DISCRIMINATORS[name], writeFields(fieldsOf(name), values)]);
}
