import { SERVICE_RIGHTS, type ServiceCaller } from '../../partners/rights.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';

interface TokenRow {
  id: Uuid;
  account_id: Uuid;
  name: string;
  scopes: string[];
  calls_per_minute: number;
}

const LIVE = 't.secret_hash = $1 and t.expires_at > $2';

/** One round trip; the last use is stored at most once a minute. */
const readToken = prepared<TokenRow>(`
  with used as (
    update service_token t set last_used_at = $2 where ${LIVE} and (t.last_used_at is null or t.last_used_at <= $3)
  )
  select t.id, t.account_id, a.name, a.scopes, a.calls_per_minute
  from service_token t join service_account a on a.id = t.account_id
  where ${LIVE} and a.disabled_at is null`);

/** Seconds. */
const STORE_USE_AFTER = 60;

/** The service account behind a token, with no more than a service account may have. @param value `sv_…` */
export async function findServiceAccount(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  value: string,
): Promise<ServiceCaller | undefined> {
  const at = now();
  const [row] = await readToken(pool, [hashOf(value), at, after(at, -STORE_USE_AFTER)]);
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
