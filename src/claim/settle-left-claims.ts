import type { WithChains } from '../chain/chains.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { MODES, type Mode } from '../entities/mode.ts';
import { after } from '../oauth/lifetimes.ts';
import { backoffAfter } from './backoff.ts';
import { stopLooking } from './end-claims.ts';
import { OPEN_CLAIM, type OpenClaim } from './open-claim.ts';
import { settleClaims } from './settle-claims.ts';

/** A claim that nobody has touched for this many seconds was left by a crash or a cluster that was away. */
const LEFT_AFTER = 10;
const BATCH = 100;
/** One look and one hand-over; what stays open is for the next run. */
const PATIENCE_MS = 5_000;
/** How often it is looked whether a failed claim landed after all: for about 25 minutes. A blockhash lives for one or two. */
const LOOKS_AT_FAILED = 10;

type SettleContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'> & WithChains;

/**
 * Takes the claims whose turn it is, those that have waited longest first, and says in the same statement when each one's next turn is. So
 * claims that stay open never hold up the others, and processes that do this at once take different ones.
 */
const takeLeft = prepared<OpenClaim & { attempts: number }>(`
  with due as (
    select cl.id from claim cl join consent_grant g on g.id = cl.grant_id join client c on c.id = g.client_id and c.mode = $1
    where (cl.state in ('pending', 'submitted') or cl.next_attempt_at is not null)
      and cl.updated_at <= $2 and coalesce(cl.next_attempt_at, cl.updated_at) <= $3
    order by coalesce(cl.next_attempt_at, cl.updated_at) limit $4 for update of cl skip locked
  ), taken as (
    update claim set attempts = attempts + case when state = 'failed' then 1 else 0 end,
      next_attempt_at = case when state = 'failed' then $3::timestamptz + ${backoffAfter('attempts + 1')} else $5 end
    from due where claim.id = due.id returning claim.*
  )
  select ${OPEN_CLAIM}, cl.attempts from taken cl join permit p on p.id = cl.permit_id`);

/** Takes up what a crash left: every claim that is neither confirmed nor failed is asked after on the chain and finished. */
export async function settleLeftClaims(context: SettleContext, leftAfter: number = LEFT_AFTER): Promise<void> {
  const modes = MODES.filter((mode) => context.chains[mode] !== undefined);
  const runs = await Promise.allSettled(modes.map((mode) => settleMode(context, mode, leftAfter)));
  // the cluster of one mode being away holds nobody up in the other
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
}

async function settleMode(context: SettleContext, mode: Mode, leftAfter: number): Promise<void> {
  const { pool, now } = context;
  const left = await takeLeft(pool, [mode, after(now(), -leftAfter), now(), BATCH, after(now(), leftAfter)]);
  await settleClaims(context, mode, left, PATIENCE_MS);
  await stopLooking(
    pool,
    left.filter(({ may_land, attempts }) => may_land && attempts >= LOOKS_AT_FAILED),
  );
}
