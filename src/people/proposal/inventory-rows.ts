import { z } from 'zod';
import { Proposal } from '../../entities/proposal.ts';
import { applyRows } from '../../inventory/apply-rows.ts';
import type { RowResult } from '../../inventory/row-result.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import type { ServiceContext } from '../../runtime.ts';
import { type ProposalEnd, proposalKind } from './kind.ts';

const Details = z.object({
  /** As files have them. Holders are named by fan ID: no number is kept in a proposal. */
  rows: z.array(z.record(z.string(), z.unknown())).min(1),
  effects: z.array(z.string()),
});

/** D-341: rows that take more tickets from their holders than one person may. */
export const INVENTORY_ROWS = proposalKind<z.infer<typeof Details>>({
  title: 'Take tickets from their holders',
  proposes: 'tickets:take',
  decides: 'proposals:decide',
  details: Details,
  effects: ({ details: { effects } }) => [
    ...effects,
    'Each row is applied as if it came now: one that no longer fits changes nothing, and the proposal then says why.',
  ],
  // each row is checked as it is applied
  async check() {},
  async execute() {
    return 'background';
  },
  async ends(context, ids) {
    const ends: ProposalEnd[] = [];
    for (const id of ids) ends.push(await carryOut(context, id));
    return ends;
  },
});

/** May be done twice: a row that was applied is unchanged then. @throws DomainError `unavailable`, to be tried again */
async function carryOut(context: ServiceContext, id: Id<'prop'>): Promise<ProposalEnd> {
  const { details, reason } = await context.em.findOneOrFail(Proposal, { id }, { disableIdentityMap: true });
  const { rows } = Details.parse(details);
  try {
    const results = await applyRows(context, rows, { actor: 'system', requestId: context.requestId, run: id, reason });
    const failed = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'stale');
    return {
      id,
      state: failed.length === 0 ? 'done' : 'failed',
      outcome: failed.length === 0 ? null : toldOf(failed, results),
    };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
    return { id, state: 'failed', outcome: error.message };
  }
}

function toldOf(failed: readonly RowResult[], { length }: readonly RowResult[]): string {
  const [{ reference, message = 'A newer version of it is stored.' } = { reference: null }] = failed;
  return `${failed.length} of ${length} rows changed nothing. ${reference ?? 'One'}: ${message}`;
}
