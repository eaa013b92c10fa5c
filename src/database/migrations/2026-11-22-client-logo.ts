/** The pictures that fans see beside the names of clients. */
export const CLIENT_LOGOS = [
  `create table "client_logo" ("client_id" uuid not null, "kind" text not null, "width" smallint not null, "height" smallint not null, "size" int not null, "hash" varchar(43) not null, "image" bytea not null, "set_at" timestamptz not null, primary key ("client_id"))`,
  `alter table "client_logo" add constraint "client_logo_client_id_foreign" foreign key ("client_id") references "client" ("id") on update cascade on delete cascade`,
  `alter table "client_logo" add constraint "client_logo_kind_check" check ("kind" in ('png', 'jpeg', 'webp'))`,
];
