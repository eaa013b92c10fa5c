import type { WithChains } from '../../chain/chains.ts';
import { isBadAnswer } from '../../chain/gateway/ask.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { MODES, type Mode } from '../../platform/mode.ts';
import { after } from '../../platform/time.ts';
import { stopRechecking } from './end-claims.ts';
import { claimPause, OPEN_CLAIM, type OpenClaim } from './open-claim.ts';
import { recheckConfirmed } from './recheck-confirmed.ts';
import { settleClaims } from './settle-claims.ts';

/** Seconds without an update after which a claim was abandoned, by a crash or an unreachable cluster. */
const ABANDONED_AFTER = 10;
const BATCH = 100;
/** Enough to read statuses and submit; claims that stay open are left for the next run. */
const PATIENCE_MS = 5_000;
/** Rechecks of a failed claim, over about 25 minutes. A blockhash is valid for one or two. */
const RECHECKS = 10;

type SettleContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'> & WithChains;

/**
 * Takes the claims that are due, longest waiting first, and sets in the same statement when each is due next. So claims that stay
 * open do not block others, and concurrent processes take different ones.
 */
const takeDue = prepared<OpenClaim & { attempts: number }>(`
  with due as (
    select cl.id from claim cl join consent_grant g on g.id = cl.grant_id join client c on c.id = g.client_id and c.mode = $1
    where (cl.state in ('pending', 'submitted') or cl.next_attempt_at is not null)
      and cl.updated_at <= $2 and coalesce(cl.next_attempt_at, cl.updated_at) <= $3
    order by coalesce(cl.next_attempt_at, cl.updated_at) limit $4 for update of cl skip locked
  ), taken as (
    update claim set attempts = attempts + case when state = 'failed' then 1 else 0 end,
      next_attempt_at = case when state = 'failed' then $3::timestamptz + ${claimPause('attempts + 1')} else $5 end
    from due where claim.id = due.id returning claim.*
  )
  select ${OPEN_CLAIM}, cl.attempts from taken cl join permit p on p.id = cl.permit_id`);

/** Settles claims that a request left open, set-aside ones that are due, and rechecks failed ones, and those that were not final. */
export async function settleDueClaims(context: SettleContext, abandonedAfter = ABANDONED_AFTER): Promise<void> {
  const modes = MODES.filter((mode) => context.chains[mode] !== undefined);
  const runs = await Promise.allSettled(modes.map((mode) => settleMode(context, mode, abandonedAfter)));
  // an unreachable cluster of one mode does not block the other
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
}

async function settleMode(context: SettleContext, mode: Mode, abandonedAfter: number): Promise<void> {
  const { pool, now } = context;
  const claims = await takeDue(pool, [mode, after(now(), -abandonedAfter), now(), BATCH, after(now(), abandonedAfter)]);
  await settleClaims(context, mode, claims, PATIENCE_MS);
  const rechecked = claims.filter(({ may_land, attempts }) => may_land && attempts >= RECHECKS);
  await stopRechecking(pool, rechecked);
  // last: an odd answer about claims that are confirmed must not hold up those that are open
  await recheckConfirmed(context, mode).catch((err: unknown) => {
    if (!isBadAnswer(err)) throw err;
    context.log.warn({ err, mode }, 'confirmed claims could not be looked at again');
  });
}
