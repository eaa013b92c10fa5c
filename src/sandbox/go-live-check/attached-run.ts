import { Client, ClientReview } from '../../entities/client.ts';
import { type CheckResult, GoLiveRun } from '../../entities/go-live-check.ts';
import type { Context } from '../../platform/context.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { countVerdict, isStale } from './read-sheet.ts';

/** A finished run, as reviewers see it. */
export interface AttachedRun {
  id: Id<'chk'>;
  /** The sandbox client that was checked. */
  clientName: string;
  finishedAt: Date;
  passed: number;
  failed: number;
  /** Whether redirect URIs have changed since. */
  isStale: boolean;
  results: CheckResult[];
}

/** The redirect URIs of a production client that are waiting for review, otherwise those in force; undefined without a client. */
export async function reviewedRedirectUris(
  { em }: Pick<Context, 'em'>,
  clientId: Id<'client'> | undefined,
): Promise<string[] | undefined> {
  if (clientId === undefined) return undefined;
  const review = await em.findOne(ClientReview, { client: clientId, decision: null });
  if (review) return review.registration.redirectUris;
  return (await em.findOneOrFail(Client, { id: clientId })).redirectUris;
}

/** The newest run that was attached to the client of each review, and finished before the decision; undefined where there is none. */
export async function attachedRuns(
  { em }: Pick<Context, 'em'>,
  reviews: readonly ClientReview[],
): Promise<(AttachedRun | undefined)[]> {
  const clients = [...new Set(reviews.map(({ client }) => client.id))];
  const where = { productionClient: { $in: clients }, finishedAt: { $ne: null } };
  const runs = await em.find(GoLiveRun, where, { populate: ['client'], orderBy: { finishedAt: 'desc' } });
  return reviews.map((review) => {
    const run = runs.find(
      ({ productionClient, finishedAt }) =>
        productionClient?.id === review.client.id &&
        finishedAt != null &&
        finishedAt <= (review.decidedAt ?? finishedAt),
    );
    return run && attachedRunOf(run, review);
  });
}

function attachedRunOf(run: GoLiveRun, review: ClientReview): AttachedRun {
  const results = run.sheet ?? [];
  const sandbox = run.client as Client;
  return {
    id: run.id,
    clientName: sandbox.name,
    finishedAt: run.finishedAt ?? run.expiresAt,
    passed: countVerdict(results, 'passed'),
    failed: countVerdict(results, 'failed'),
    isStale: isStale(run, sandbox, review.registration.redirectUris),
    results,
  };
}
