/** Files of inventory rows on their way in, and the rows of them that failed. */
export const IMPORT_RUNS = [
  `create table "import_run" ("id" uuid not null, "state" text not null, "source" text not null, "format" text not null, "file_name" varchar(200) null, "actor" varchar(80) not null, "lines" int not null, "hash" varchar(43) not null, "received_all" boolean not null, "created" int not null, "updated" int not null, "unchanged" int not null, "stale" int not null, "failed" int not null, "lease" uuid not null, "heartbeat_at" timestamptz not null, "started_at" timestamptz not null, "finished_at" timestamptz null, "message" varchar(500) null, primary key ("id"))`,
  `create index "import_run_state_heartbeat_at_index" on "import_run" ("state", "heartbeat_at")`,
  `alter table "import_run" add constraint "import_run_state_check" check ("state" in ('running', 'finished', 'interrupted'))`,
  `alter table "import_run" add constraint "import_run_source_check" check ("source" in ('http', 'cli'))`,
  `alter table "import_run" add constraint "import_run_format_check" check ("format" in ('ndjson', 'csv'))`,
  `create table "import_failure" ("run_id" uuid not null, "line" int not null, "kind" varchar(20) null, "reference" varchar(200) null, "reason" varchar(40) not null, "message" varchar(500) not null, "row" text not null, "at" timestamptz not null, primary key ("run_id", "line"))`,
  `create index "import_failure_at_index" on "import_failure" ("at")`,
  `alter table "import_failure" add constraint "import_failure_run_id_foreign" foreign key ("run_id") references "import_run" ("id")`,
];
