import type { ClientReview } from '../src/entities/client.ts';
import { CHECK_VERDICTS, type CheckResult } from '../src/entities/go-live-check.ts';
import { type AttachedRun, attachedRuns } from '../src/sandbox/go-live-check/attached-run.ts';
import { CHECKS } from '../src/sandbox/go-live-check/checks.ts';
import { builder, enumOf } from './builder.ts';
import { ClientReviewType } from './client-review.ts';

/** What reviewers see of go-live checks. */

const VerdictType = enumOf('CheckVerdict', CHECK_VERDICTS);

const titleOf = ({ check }: CheckResult) => CHECKS.find(({ name }) => name === check)?.title ?? check;

const ResultType = builder.objectRef<CheckResult>('CheckResult').implement({
  fields: (t) => ({
    name: t.string({ resolve: ({ check }) => check }),
    title: t.string({ resolve: titleOf }),
    verdict: t.expose('verdict', { type: VerdictType }),
    wasStarted: t.boolean({ resolve: ({ startedAt }) => startedAt !== null }),
    seen: t.exposeString('seen', { description: 'What was seen of the partner’s application.' }),
  }),
});

const AttachedRunType = builder.objectRef<AttachedRun>('GoLiveCheck').implement({
  description:
    'A finished run in which the service played a hostile authorization server and API against a sandbox client of the partner.',
  fields: (t) => ({
    id: t.exposeID('id'),
    clientName: t.exposeString('clientName', { description: 'Of the sandbox client.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime' }),
    passed: t.exposeInt('passed'),
    failed: t.exposeInt('failed'),
    isStale: t.exposeBoolean('isStale', { description: 'Whether redirect URIs have changed since.' }),
    // they come with the run
    results: t.expose('results', { type: [ResultType], complexity: { field: 1, multiplier: 1 } }),
  }),
});

builder.objectFields(ClientReviewType, (t) => ({
  goLiveCheck: t.loadable({
    type: AttachedRunType,
    nullable: true,
    description:
      'The newest go-live check that the partner attached to the client; of a decided review, before the decision.',
    load: async (reviews: ClientReview[], { context }) => attachedRuns(context, reviews),
    resolve: (review) => review,
  }),
}));
