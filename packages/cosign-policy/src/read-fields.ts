import { addressOf } from '@fan-api/solana-wire/base58';
import { FIELD_SIZES, type Field, type FieldType, sizeOf } from '@fan-api/ticket-program/description';

/** What a field of each type holds: addresses in base58. */
export interface ValueOf {
  readonly u8: number;
  readonly u64: bigint;
  readonly pubkey: string;
  readonly bytes32: Uint8Array;
}

/** The values of fields by name: addresses in base58, `u64` as bigint. */
export type FieldValues<Fields extends readonly Field[]> = {
  readonly [F in Fields[number] as F['name']]: ValueOf[F['type']];
};

/** Decodes Borsh fields; `bytes32` is a view. @throws RangeError for another length, which callers check first */
export function readFields<const Fields extends readonly Field[]>(
  fields: Fields,
  bytes: Uint8Array,
): FieldValues<Fields> {
  checkLength('fields', bytes, sizeOf(fields));
  const values: Record<string, ValueOf[FieldType]> = {};
  let at = 0;
  for (const { name, type } of fields) {
    values[name] = readValue(type, bytes.subarray(at, at + FIELD_SIZES[type]));
    at += FIELD_SIZES[type];
  }
  return values as FieldValues<Fields>;
}

function readValue(type: FieldType, bytes: Uint8Array): ValueOf[FieldType] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type) {
    case 'u8':
      return view.readUInt8();
    case 'u64':
      return view.readBigUInt64LE();
    case 'pubkey':
      return addressOf(view);
    case 'bytes32':
      return bytes;
  }
}

/** The bytes, if they have this length. @throws RangeError */
export function checkLength(what: string, bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) throw new RangeError(`${what}: ${length} bytes expected, ${bytes.length} given`);
  return bytes;
}
