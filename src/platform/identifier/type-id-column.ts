import { p, Type } from '@mikro-orm/core';
import { type Id, type IdPrefix, idOf, isUuid, newId, type Uuid, uuidOf } from './type-id.ts';

/** MikroORM column type: `uuid` in the database, a prefixed identifier in the entities. */
export class TypeIdColumn<Prefix extends IdPrefix> extends Type<Id<Prefix>, Uuid> {
  readonly prefix: Prefix;

  constructor(prefix: Prefix) {
    super();
    this.prefix = prefix;
  }

  override convertToDatabaseValue(value: Id<Prefix> | Uuid): Uuid {
    return value == null || isUuid(value) ? value : uuidOf(this.prefix, value);
  }

  override convertToJSValue(value: Id<Prefix> | Uuid): Id<Prefix> {
    return value == null || !isUuid(value) ? value : idOf(this.prefix, value);
  }

  override getColumnType(): string {
    return 'uuid';
  }

  override compareAsType(): string {
    return 'string';
  }
}

/** The primary key of an entity: a TypeID made when the entity is created. */
export function primaryId<Prefix extends IdPrefix>(prefix: Prefix) {
  return p
    .type(new TypeIdColumn(prefix))
    .$type<Id<Prefix>>()
    .primary()
    .onCreate(() => newId(prefix));
}
