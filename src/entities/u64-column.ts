import { p, Type } from '@mikro-orm/core';

/** MikroORM column type of a u64: `numeric(20,0)` in the database, where `bigint` is signed, and `bigint` in the entities. */
class U64Column extends Type<bigint, string> {
  override convertToDatabaseValue(value: bigint | string): string {
    return String(value);
  }

  override convertToJSValue(value: bigint | string): bigint {
    return BigInt(value);
  }

  override getColumnType(): string {
    return 'numeric(20,0)';
  }

  override compareAsType(): string {
    return 'bigint';
  }
}

/** A property that holds a u64 of the chain. */
export function u64() {
  return p.type(new U64Column()).$type<bigint>();
}
