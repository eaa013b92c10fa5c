/** What one member of staff proposes and another one decides. */
export const PROPOSALS = [
  `create table "proposal" ("id" uuid not null, "kind" varchar(60) not null, "subject" varchar(120) not null, "details" jsonb not null, "reason" text not null, "proposed_by" varchar(120) not null, "proposed_at" timestamptz not null, "expires_at" timestamptz not null, "state" text not null default 'proposed', "decided_by" varchar(120) null, "decided_at" timestamptz null, "note" text null, "outcome" text null, "ended_at" timestamptz null, primary key ("id"))`,
  `create index "proposal_subject_id_index" on "proposal" ("subject", "id")`,
  `create index "proposal_state_id_index" on "proposal" ("state", "id")`,
  `create unique index proposal_one_open on proposal (kind, subject) where state in ('proposed', 'approved')`,
  `create index proposal_open on proposal (expires_at) where state in ('proposed', 'approved')`,
  `alter table "proposal" add constraint "proposal_state_check" check ("state" in ('proposed', 'approved', 'done', 'failed', 'declined', 'withdrawn', 'expired'))`,
];
