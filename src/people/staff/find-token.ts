import { SERVICE_RIGHTS, type ServiceCaller, type SignedInStaff } from '../../partners/rights.ts';
import type { SqlContext, WithConfig } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { givenRows, shareStatement } from '../../platform/database/share-statement.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { StaffRole } from '../../platform/staff-role.ts';
import { after } from '../../platform/time.ts';
import { staffIssuer } from '../account/account.ts';

interface StaffTokenRow {
  id: Uuid;
  staff_id: Uuid;
  name: string;
  email: string | null;
  role: StaffRole;
  scopes: string[];
}

interface ServiceTokenRow {
  n: number;
  id: Uuid;
  account_id: Uuid;
  name: string;
  scopes: string[];
  calls_per_minute: number;
}

/** One round trip each; the last use is stored at most once a minute. */
const readStaffToken = prepared<StaffTokenRow>(`
  with live as (
    select * from staff_token where secret_hash = $1 and revoked_at is null and expires_at > $2
  ), used as (
    update staff_token t set last_used_at = $2 from live
    where t.id = live.id and (t.last_used_at is null or t.last_used_at <= $3)
  )
  select live.id, live.staff_id, f.name, f.email, f.role, live.scopes
  from live join staff f on f.id = live.staff_id and f.disabled_at is null and f.issuer = $4`);
/** Calls of service accounts arrive by the hundred a second, where they are scans at the doors. */
const readServiceToken = shareStatement<{ hash: string; at: Date; unless_used_since: Date }, ServiceTokenRow>(
  () => `
  with live as (
    select e.n, e.at, e.unless_used_since, t.* from ${givenRows('hash text, at timestamptz, unless_used_since timestamptz')} e
    join service_token t on t.secret_hash = e.hash and t.expires_at > e.at
  ), used as (
    update service_token t set last_used_at = live.at from live
    where t.id = live.id and (t.last_used_at is null or t.last_used_at <= live.unless_used_since)
  )
  select live.n, live.id, live.account_id, a.name, a.scopes, a.calls_per_minute
  from live join service_account a on a.id = live.account_id and a.disabled_at is null`,
);

/** Seconds. */
const STORE_USE_AFTER = 60;

/** The member of staff behind a token, limited to its scopes. @param value `st_…` */
export async function findStaffToken(
  { pool, now, config }: SqlContext & WithConfig,
  value: string,
): Promise<SignedInStaff | undefined> {
  const at = now();
  const [row] = await readStaffToken(pool, [hashOf(value), at, after(at, -STORE_USE_AFTER), staffIssuer(config)]);
  if (!row) return undefined;
  const { id, staff_id, ...person } = row;
  return { ...person, id: idOf('stf', staff_id), authenticatedAt: null, tokenId: idOf('stk', id) };
}

/** The service account behind a token, with no more than a service account may have. @param value `sv_…` */
export async function findServiceAccount({ pool, now }: SqlContext, value: string): Promise<ServiceCaller | undefined> {
  const at = now();
  const given = { hash: hashOf(value), at, unless_used_since: after(at, -STORE_USE_AFTER) };
  const row = await readServiceToken.together(pool, given);
  if (!row) return undefined;
  return {
    id: idOf('sva', row.account_id),
    name: row.name,
    role: 'admin',
    authenticatedAt: null,
    scopes: SERVICE_RIGHTS.filter((right) => row.scopes.includes(right)),
    tokenId: idOf('svt', row.id),
    callsPerMinute: row.calls_per_minute,
  };
}
