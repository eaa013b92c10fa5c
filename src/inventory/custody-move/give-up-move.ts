import { chainOf } from '../../chain/chains.ts';
import { CustodyMove } from '../../entities/custody-move.ts';
import type { Context } from '../../platform/context.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { holdUnsent, readOpen } from './move-rows.ts';
import { end, judge, type MoveContext, type Verdict } from './settle-move.ts';

export interface GivingUp {
  moveId: string;
  /** 1 to 1,000 characters. */
  reason: string;
}

/**
 * Gives up an open transfer: it ends as failed, and the ticket can be moved again. The chain decides first: where the permit has moved, or
 * is elsewhere, the move ends with that instead. A process that is about to send finds the move ended.
 * @param actor as audit entries name it; the caller has checked its right
 * @returns the move, ended
 * @throws DomainError `not_found`; `conflict` where it has ended, only takes a ticket off sale, may still land, or is being tried just
 * now; `unavailable` where the cluster is unreachable
 */
export async function giveUpMove(
  context: MoveContext & Pick<Context, 'em'>,
  { moveId, reason: text }: GivingUp,
  actor: string,
): Promise<CustodyMove> {
  const id = knownId('move', moveId);
  const reason = `Given up: ${givenReason(text)}`;
  const { kind } = await rowUnder(context.em, CustodyMove, 'move', id);
  if (kind !== 'transfer') {
    throw new DomainError('conflict', 'The sale of a withdrawn ticket must end: this move is tried until it succeeds.');
  }
  const [move] = await readOpen(context.pool, [uuidOf('move', id), context.now()]);
  if (!move) throw new DomainError('conflict', 'The move has ended already.');
  const chain = chainOf(context.chains, move.mode);
  const verdict = await judge(context, chain, move).catch(asRefusal);
  if (verdict.is !== 'to send') await end(context, chain, move, verdict);
  else {
    const lost = { is: 'lost', reason, slot: verdict.account.slot } as const;
    await end(context, chain, move, lost, {
      actor,
      async check(client) {
        const [held] = await holdUnsent(client, [move.id, move.tries]);
        if (!held) throw new DomainError('conflict', 'The move is being tried just now. Try again in two minutes.');
      },
    });
  }
  return context.em.findOneOrFail(CustodyMove, { id }, { refresh: true });
}

/** The refusal says what keeps a move open: it may still land, or its permit can't be read. */
function asRefusal(error: unknown): Verdict {
  if (error instanceof DomainError || !(error instanceof Error)) throw error;
  throw new DomainError('conflict', error.message, { cause: error });
}
