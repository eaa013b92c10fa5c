import { p, Type } from '@mikro-orm/core';
import { type IdPrefix, idOf, newId, uuidOf } from './type-id.ts';

/** MikroORM column type: `uuid` in the database, a prefixed identifier in the entities. */
export class TypeIdColumn extends Type<string, string> {
  readonly prefix: IdPrefix;

  constructor(prefix: IdPrefix) {
    super();
    this.prefix = prefix;
  }

  override convertToDatabaseValue(value: string): string {
    return value == null || UUID.test(value) ? value : uuidOf(this.prefix, value);
  }

  override convertToJSValue(value: string): string {
    return value == null || !UUID.test(value) ? value : idOf(this.prefix, value);
  }

  override getColumnType(): string {
    return 'uuid';
  }

  override compareAsType(): string {
    return 'string';
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The primary key of an entity: a TypeID made when the entity is created. */
export function primaryId(prefix: IdPrefix) {
  return p
    .type(new TypeIdColumn(prefix))
    .$type<string>()
    .primary()
    .onCreate(() => newId(prefix));
}
