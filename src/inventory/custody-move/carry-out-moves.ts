import { type Chain, chainOf } from '../../chain/chains.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { describeError } from '../../platform/describe-error.ts';
import { idOf } from '../../platform/identifier/type-id.ts';
import { MODES, type Mode } from '../../platform/mode.ts';
import { after } from '../../platform/time.ts';
import { countMove, setAside, type TakenMove, takeDue } from './move-rows.ts';
import { type MoveContext, MoveWaits, settleMove } from './settle-move.ts';

/** Moves that are carried out in parallel. */
const AT_ONCE = 8;
/** Longer than a try, which waits up to 30 seconds for its transaction. */
const TAKEN_FOR_SECONDS = 120;
/** Moves of one call; the next call goes on. */
const MOST_ROUNDS = 25;

/**
 * Carries out the ordered moves that are due, in every mode that has a cluster. Any number of processes may run it in parallel. A move
 * whose try fails is set aside: it keeps its reason, is logged the first time, and is tried again after growing pauses. One that only waits
 * (`MoveWaits`) is not logged.
 * @param limit once aborted, no further moves are taken
 */
export async function carryOutMoves(context: MoveContext, limit?: AbortSignal): Promise<void> {
  const modes = MODES.filter((mode) => context.chains[mode] !== undefined);
  await Promise.all(modes.map((mode) => carryOutOf(context, mode, limit)));
}

async function carryOutOf(context: MoveContext, mode: Mode, limit?: AbortSignal): Promise<void> {
  const chain = chainOf(context.chains, mode);
  for (let round = 0; round < MOST_ROUNDS && !limit?.aborted; round++) {
    const now = context.now();
    const moves = await takeDue(context.pool, [mode, now, AT_ONCE, after(now, TAKEN_FOR_SECONDS)]);
    await Promise.all(moves.map((move) => tryMove(context, chain, move)));
    if (moves.length < AT_ONCE) return;
  }
}

async function tryMove(context: MoveContext, chain: Chain, move: TakenMove): Promise<void> {
  try {
    await settleMove(context, chain, move);
  } catch (error) {
    const reason = storableText(describeError(error), 500);
    const [aside] = await setAside(context.pool, [move.id, move.tries, reason, context.now()]);
    if (!aside || error instanceof MoveWaits) return;
    countMove(move.mode, 'set_aside');
    if (move.tries > 1) return;
    context.log.warn(
      { move: idOf('move', move.id), permit: move.tix_permit_id, reason },
      'a permit could not be moved; it is tried again after growing pauses',
    );
  }
}
