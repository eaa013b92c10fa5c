/** Crockford's base32 in lower case, as TypeIDs have it. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * What fans consented to, and when a grant may be over. Actions that were taken back since stand in the audit log under the
 * grant's TypeID, so each is read back into its `uuid`: 26 digits of 5 bits, of which the last 128 are regrouped by 4.
 */
export const GRANT_ENDS = [
  `alter table "consent_grant" add "consented_actions" text[] null, add "ends_after" timestamptz null`,
  `update consent_grant set consented_actions = actions, ends_after = created_at`,
  `with taken as (
     select substr(e.subject, 7) as digits, array_agg(distinct lost.action) as actions
     from audit_entry e cross join lateral jsonb_array_elements_text(e.details -> 'actions') as lost(action)
     where e.action = 'grant.narrowed' and e.details ? 'actions' group by e.subject
   ), decoded as (
     select actions, right(string_agg((strpos('${BASE32}', substr(digits, n, 1)) - 1)::bit(5)::text, '' order by n), 128) as bits
     from taken cross join generate_series(1, 26) n group by digits, actions
   ), found as (
     select actions, string_agg(to_hex(substr(bits, 4 * n + 1, 4)::bit(4)::int), '' order by n)::uuid as id
     from decoded cross join generate_series(0, 31) n group by bits, actions
   )
   update consent_grant g set consented_actions = g.actions || array(
     select lost from unnest(found.actions) as lost where lost <> all(g.actions))
   from found where found.id = g.id`,
  `alter table "consent_grant" alter column "consented_actions" set not null, alter column "ends_after" set not null`,
  `create index consent_grant_ends_after on consent_grant (ends_after) where revoked_at is null`,
];
