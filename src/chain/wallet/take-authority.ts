import { LockMode } from '@mikro-orm/postgresql';
import { ChainKey } from '../../entities/chain.ts';
import type { Context, WriteContext } from '../../platform/context.ts';
import type { Mode } from '../../platform/mode.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';

type ChainKeyRole = ChainKey['role'];

/**
 * Makes another key of ours the authority of a mode, since the ticket program names it. The previous one stays as the former authority: a
 * fork may bring it back. Safe in concurrent processes, and repeatable.
 * @param address the authority in the program's configuration
 * @returns false where it is no authority of ours: neither the present, nor the next, nor the former
 */
export async function takeAuthority(context: WriteContext, mode: Mode, address: string): Promise<boolean> {
  return context.em.fork().transactional(async (em) => {
    // one lock for all: two processes must not move the keys at the same time
    const keys = await em.find(
      ChainKey,
      { mode, role: { $ne: 'payer' } },
      { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { address: 'asc' } },
    );
    const named = keys.find((key) => key.address === address);
    if (!named) return false;
    if (named.role === 'authority') return true;
    const before = keys.find((key) => key.role === 'authority')?.address ?? null;
    const move = (from: ChainKeyRole, to: ChainKeyRole) =>
      em.nativeUpdate(ChainKey, { mode, role: from }, { role: to });
    if (named.role === 'next_authority') {
      await em.nativeDelete(ChainKey, { mode, role: 'former_authority' });
      await move('authority', 'former_authority');
      await move('next_authority', 'authority');
    } else {
      // the rotation was undone: the authority that was new is the next one again, in place of any other
      await em.nativeDelete(ChainKey, { mode, role: 'next_authority' });
      await move('authority', 'next_authority');
      await move('former_authority', 'authority');
    }
    const details = { mode, before: before ?? '' };
    recordAudit({ ...context, em }, { actor: 'system', action: 'chain_authority.rotated', subject: address, details });
    return true;
  });
}

/** Whether the key of an address is an authority of ours in a mode: the present, the next or the former one. */
export async function hasAuthority({ em }: Pick<Context, 'em'>, mode: Mode, address: string): Promise<boolean> {
  return (await em.fork().count(ChainKey, { mode, address, role: { $ne: 'payer' } })) > 0;
}
