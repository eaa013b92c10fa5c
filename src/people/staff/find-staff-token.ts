import type { SignedInStaff } from '../../partners/rights.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { StaffRole } from '../../platform/staff-role.ts';
import { after } from '../../platform/time.ts';
import { staffIssuer } from './identity-provider.ts';

interface TokenRow {
  id: Uuid;
  staff_id: Uuid;
  name: string;
  email: string | null;
  role: StaffRole;
  scopes: string[];
}

const LIVE = 't.secret_hash = $1 and t.revoked_at is null and t.expires_at > $2';

/** One round trip; the last use is stored at most once a minute. */
const readToken = prepared<TokenRow>(`
  with used as (
    update staff_token t set last_used_at = $2 where ${LIVE} and (t.last_used_at is null or t.last_used_at <= $3)
  )
  select t.id, t.staff_id, f.name, f.email, f.role, t.scopes
  from staff_token t join staff f on f.id = t.staff_id
  where ${LIVE} and f.disabled_at is null and f.issuer = $4`);

/** Seconds. */
const STORE_USE_AFTER = 60;

/** The member of staff behind a token, limited to its scopes. @param value `st_…` */
export async function findStaffToken(
  { pool, now, config }: Pick<Context, 'pool' | 'now' | 'config'>,
  value: string,
): Promise<SignedInStaff | undefined> {
  const at = now();
  const [row] = await readToken(pool, [hashOf(value), at, after(at, -STORE_USE_AFTER), staffIssuer(config)]);
  if (!row) return undefined;
  const { id, staff_id, ...person } = row;
  return { ...person, id: idOf('stf', staff_id), authenticatedAt: null, tokenId: idOf('stk', id) };
}
