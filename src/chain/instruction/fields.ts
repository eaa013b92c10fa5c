import { addressBytes } from '@fan-api/cosign-policy/address-bytes';
import { checkLength, type FieldValues } from '@fan-api/cosign-policy/read-fields';
import { FIELD_SIZES, type Field, type FieldType } from '@fan-api/ticket-program/description';

/** Encodes Borsh fields. @throws RangeError for a value out of range or of another type @throws ChainError `bad_address` */
export function writeFields<const Fields extends readonly Field[]>(
  fields: Fields,
  values: FieldValues<Fields>,
): Buffer {
  const given: Readonly<Record<string, unknown>> = values;
  return Buffer.concat(fields.map(({ name, type }) => writeValue(name, type, given[name])));
}

function writeValue(name: string, type: FieldType, value: unknown): Buffer {
  const bytes = Buffer.alloc(FIELD_SIZES[type]);
  if (type === 'u8' && typeof value === 'number') bytes.writeUInt8(value);
  else if (type === 'u64' && typeof value === 'bigint') bytes.writeBigUInt64LE(value);
  else if (type === 'pubkey' && typeof value === 'string') bytes.set(addressBytes(value));
  else if (type === 'bytes32' && value instanceof Uint8Array) bytes.set(checkLength(name, value, 32));
  else throw new RangeError(`${name} is no ${type}`);
  return bytes;
}
