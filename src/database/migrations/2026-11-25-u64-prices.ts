import { Migration } from '@mikro-orm/migrations';

/** A price on the chain is a u64, of which `bigint` holds only one half. */
export class U64Prices extends Migration {
  override up(): void {
    this.addSql(`alter table "listing" alter column "price" type numeric(20,0)`);
  }
}
