import { PROPOSAL_KIND_NAMES, Proposal, type ProposalKindName } from '../../entities/proposal.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import type { ServiceContext } from '../../runtime.ts';
import { expireProposals } from './expire-proposals.ts';
import type { ProposalEnd } from './kind.ts';
import { PROPOSAL_KINDS } from './kinds.ts';

const BATCH = 100;

/**
 * Ends proposals whose time is over, and those that were approved and have been carried out in the background. Every end is one
 * conditional update, so any number of processes may do this in parallel.
 * @param limit ends the run at the end of a batch
 */
export async function settleProposals(context: ServiceContext, limit?: AbortSignal): Promise<void> {
  await expireProposals(context);
  for (const kind of PROPOSAL_KIND_NAMES) await settleKind(context, kind, limit);
}

/** Ends the approved proposals of a kind that have been carried out. */
export async function settleKind(context: ServiceContext, kind: ProposalKindName, limit?: AbortSignal): Promise<void> {
  const { ends } = PROPOSAL_KINDS[kind];
  if (!ends) return;
  for (let after: Proposal['id'] | undefined; !limit?.aborted; ) {
    const approved: Proposal[] = await context.em.find(
      Proposal,
      { kind, state: 'approved', ...(after && { id: { $gt: after } }) },
      { orderBy: { id: 'asc' }, limit: BATCH, disableIdentityMap: true },
    );
    for (const end of await ends(
      context,
      approved.map(({ id }) => id),
    )) {
      await endProposal(context, approved, end);
    }
    after = approved.at(-1)?.id;
    if (approved.length < BATCH) break;
  }
}

async function endProposal(
  context: ServiceContext,
  approved: readonly Proposal[],
  { id, state, outcome }: ProposalEnd,
): Promise<void> {
  const proposal = approved.find((each) => each.id === id);
  if (!proposal) return;
  const { kind, subject } = proposal;
  await context.em.fork().transactional(async (em) => {
    const ended = { state, outcome, endedAt: context.now() };
    if ((await em.nativeUpdate(Proposal, { id, state: 'approved' }, ended)) === 0) return;
    const about = { proposal: id, kind };
    recordAudit(
      { ...context, em },
      state === 'done'
        ? { actor: 'system', action: 'proposal.done', subject, details: about }
        : { actor: 'system', action: 'proposal.failed', subject, details: { ...about, reason: outcome ?? '' } },
    );
  });
}
