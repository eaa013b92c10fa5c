/** What bounds the sending of codes, and the inbox of development. */
export const VERIFICATION_LIMITS = [
  `create table "rate_limit" ("key" varchar(255) not null, "points" int not null default 0, "expire" bigint null, primary key ("key"))`,
  `create index "rate_limit_expire_index" on "rate_limit" ("expire")`,
  `create table "code_traffic" ("minute" timestamptz not null, "country" varchar(2) not null, "sent" int not null, "verified" int not null, primary key ("minute", "country"))`,
  `create table "code_budget" ("day" date not null, "sent" int not null, primary key ("day"))`,
  `create table "code_breaker" ("scope" varchar(3) not null, "opened_at" timestamptz not null, "retry_at" timestamptz not null, "trips" int not null, "trials" int not null, "last_trial_at" timestamptz null, "verified" int not null, primary key ("scope"))`,
  `create table "inbox_message" ("phone" varchar(16) not null, "code" varchar(10) not null, "sent_at" timestamptz not null, primary key ("phone"))`,
];

/** Which number a sign-in last asked a code for, so that of two calls at once only one sends it. */
export const CODE_ASKED = [
  `alter table "authorization_session" add "asked_phone" varchar(16) null, add "asked_at" timestamptz null`,
];
