import type { WithChains } from '../../chain/chains.ts';
import { isBadAnswer } from '../../chain/gateway/ask.ts';
import type { Context } from '../../platform/context.ts';
import { MODES, type Mode } from '../../platform/mode.ts';
import { after } from '../../platform/time.ts';
import { stopRechecking } from './end-claims.ts';
import { recheckConfirmed } from './recheck-confirmed.ts';
import { settleClaims } from './settle-claims.ts';
import { takeDue } from './statements.ts';

/** Seconds without an update after which a claim counts as abandoned, by a crash or an unreachable cluster. */
const ABANDONED_AFTER = 10;
const BATCH = 100;
/** Enough to read statuses and submit; claims that stay open are left for the next run. */
const PATIENCE_MS = 5_000;
/** Rechecks of a failed claim, over about 25 minutes. A blockhash is valid for one or two minutes. */
const RECHECKS = 10;

type SettleContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'> & WithChains;

/** Settles open claims that a request left or that were set aside, and rechecks failed claims and confirmed ones that are not final. */
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
  // last: an odd answer about confirmed claims must not hold up open ones
  await recheckConfirmed(context, mode).catch((err: unknown) => {
    if (!isBadAnswer(err)) throw err;
    context.log.warn({ err, mode }, 'confirmed claims could not be looked at again');
  });
}
