/** Which call made what can be made once, and what its process says of that call (D-226). */
export const DOUBTS = [
  `create table "service_process" ("id" uuid not null, "seen_at" timestamptz not null, "ended_at" timestamptz null, "asked" int not null default 0, "answered" int not null default 0, "doubtful" text[] not null, primary key ("id"))`,
  `alter table "refresh_token_family" add "rotated_in" uuid null, add "rotated_by" uuid null`,
  `alter table "authorization_code" add "used_in" uuid null, add "used_by" uuid null`,
  `alter table "authorization_session" add "code_hash" varchar(43) null, add "completed_by" uuid null`,
];
