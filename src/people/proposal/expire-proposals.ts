import { Proposal } from '../../entities/proposal.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import type { ServiceContext } from '../../runtime.ts';

const BATCH = 100;

/** Ends proposals that were not decided in time. */
export async function expireProposals(context: ServiceContext): Promise<void> {
  const over = await context.em.find(
    Proposal,
    { state: 'proposed', expiresAt: { $lte: context.now() } },
    { orderBy: { id: 'asc' }, limit: BATCH, disableIdentityMap: true },
  );
  for (const { id, kind, subject } of over) {
    await context.em.fork().transactional(async (em) => {
      const ended = { state: 'expired' as const, endedAt: context.now() };
      if ((await em.nativeUpdate(Proposal, { id, state: 'proposed' }, ended)) === 0) return;
      recordAudit(
        { ...context, em },
        { actor: 'system', action: 'proposal.expired', subject, details: { proposal: id, kind } },
      );
    });
  }
}
