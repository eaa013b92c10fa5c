import { Migration } from '@mikro-orm/migrations';

/** The pictures that fans see beside the names of clients. */
export class ClientLogos extends Migration {
  override up(): void {
    this.addSql(
      `create table "client_logo" ("client_id" uuid not null, "kind" text not null, "width" smallint not null, "height" smallint not null, "size" int not null, "hash" varchar(43) not null, "image" bytea not null, "set_at" timestamptz not null, primary key ("client_id"))`,
    );
    this.addSql(
      `alter table "client_logo" add constraint "client_logo_client_id_foreign" foreign key ("client_id") references "client" ("id") on update cascade on delete cascade`,
    );
    this.addSql(
      `alter table "client_logo" add constraint "client_logo_kind_check" check ("kind" in ('png', 'jpeg', 'webp'))`,
    );
  }
}
