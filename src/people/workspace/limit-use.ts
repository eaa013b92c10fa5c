import type { WithChains } from '../../chain/chains.ts';
import { jwksUrl } from '../../oauth/metadata.ts';
import type { SqlContext, WithConfig } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { FAN_OPERATIONS, OPERATION_GROUPS } from '../../record/activity/operations.ts';
import { clientsOf } from '../../record/activity/request-list.ts';
import { secondOf } from '../../record/activity/request-rows.ts';
import type { WithCodeLimiters } from '../../sign-in/abuse/code-limiters.ts';
import type { LimitName } from './partner-limits.ts';

/** How near a partner is to a limit. */
export interface LimitUse {
  /** The number to compare with the limit. */
  used: number;
  /** What the figure is, such as `the busiest grant, in the last minute`. */
  says: string;
  /** The client that has used most; null where none has used any. */
  client: Id<'client'> | null;
}

interface UsedByClient {
  client_id: Uuid;
  used: number;
}

/** Seconds. */
const MINUTE = 60;

/** Calls that the limit itself refused do not count. */
const IN_LAST_MINUTE = `from request_log
  where client_id = any($1::uuid[]) and at > $2 and ${secondOf('at')} >= ${secondOf('$2::timestamptz')} and operation = any($3) and status <> 429`;

const busiestGrant = prepared<UsedByClient>(`
  select client_id, sum(weight)::int as used ${IN_LAST_MINUTE} and grant_id is not null
  group by client_id, grant_id order by used desc, client_id limit 1`);
const refusedCalls = prepared<UsedByClient>(`
  select client_id, sum(weight)::int as used ${IN_LAST_MINUTE} and status between 400 and 499
  group by client_id order by used desc, client_id`);

/**
 * What a partner's clients have used of their limits now. Calls are read from the request log, which lags by up to a second; codes from
 * their own counts. The codes of a number are not shown, because they are counted over the clients of every partner.
 */
export async function limitUse(
  context: SqlContext & WithCodeLimiters,
  partnerId: Id<'ptn'>,
): Promise<Partial<Record<LimitName, LimitUse>>> {
  const { pool, now, codeLimiters } = context;
  const clients = (await clientsOf(context, { partnerId })) ?? [];
  const since = after(now(), -MINUTE);
  const inProduction = ((await clientsOf(context, { partnerId, mode: 'production' })) ?? []).map((id) =>
    idOf('client', id),
  );
  const [calls, refusals, codes] = await Promise.all([
    busiestGrant(pool, [clients, since, FAN_OPERATIONS]),
    refusedCalls(pool, [clients, since, OPERATION_GROUPS.token.operations]),
    codeLimiters.client.read(inProduction, now()),
  ]);
  const mostCodes = Math.max(0, ...codes);
  return {
    fan_api: { ...mostOf(calls), says: 'the busiest grant, in the last minute' },
    token_failures: {
      ...mostOf(refusals),
      used: refusals.reduce((sum, { used }) => sum + used, 0),
      says: 'from all addresses together, in the last minute',
    },
    codes_of_client: {
      used: mostCodes,
      client: mostCodes === 0 ? null : (inProduction[codes.indexOf(mostCodes)] ?? null),
      says: 'the busiest client, in its present hour',
    },
  };
}

function mostOf([most]: UsedByClient[]): Pick<LimitUse, 'used' | 'client'> {
  return { used: most?.used ?? 0, client: most ? idOf('client', most.client_id) : null };
}

/** The addresses of the service, for a partner's settings. */
export interface ServiceAddresses {
  issuer: string;
  discoveryUrl: string;
  jwksUrl: string;
  apiUrl: string;
  openapiUrl: string;
  loginUrl: string;
  /** Null where no test network can be reached. */
  sandboxRpcUrl: string | null;
}

export function serviceAddresses({ config, chains }: WithConfig & WithChains): ServiceAddresses {
  const { authUrl, apiUrl, loginUrl } = config;
  return {
    issuer: authUrl,
    discoveryUrl: `${authUrl}/.well-known/openid-configuration`,
    jwksUrl: jwksUrl(authUrl),
    apiUrl,
    openapiUrl: `${apiUrl}/openapi.json`,
    loginUrl,
    sandboxRpcUrl: chains.sandbox?.publicRpcUrl ?? null,
  };
}
