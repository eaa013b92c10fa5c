/** What members of a partner may do, and whether the e-mail of their invitation was sent. The release before writes neither. */
export const MEMBER_ROLES = [
  `alter table "partner_member" add column "role" text not null default 'developer', add column "invitation_unsent" boolean not null default false`,
  `alter table "partner_member" add constraint "partner_member_role_check" check ("role" in ('developer', 'administrator'))`,
];
