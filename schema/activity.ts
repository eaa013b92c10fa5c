import { Client } from '../src/entities/client.ts';
import { DomainError } from '../src/platform/errors.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { idOf } from '../src/platform/identifier/type-id.ts';
import { readFailingJobs } from '../src/platform/job/job-runs.ts';
import { ENTRY_KINDS, type References, type TimelineEntry } from '../src/record/activity/describe-entry.ts';
import type { Latency } from '../src/record/activity/latency.ts';
import {
  type Dashboard,
  type FailingClient,
  PERIOD_NAMES,
  readDashboard,
  readFailingClients,
  type Series,
} from '../src/record/activity/read-dashboard.ts';
import { readRequest, readTimeline, type Timeline } from '../src/record/activity/read-timeline.ts';
import { resolveSearch } from '../src/record/activity/resolve-search.ts';
import { describeSubjects, type SearchHit, search } from '../src/record/activity/search.ts';
import { SUBJECT_KINDS } from '../src/record/activity/subject.ts';
import { builder, enumOf, type FieldsOf, forBoth, forPartners, right } from './builder.ts';
import { ClientType } from './client.ts';
import { given } from './given.ts';
import { own, requireOwn } from './own.ts';
import { RequestFilterInput } from './request-log.ts';

/** Default and maximum number of entries in a part of a timeline. */
const PART_LENGTH = 100;
const MAX_PART_LENGTH = 500;

const SubjectKindType = enumOf('SubjectKind', SUBJECT_KINDS, 'What has a timeline.');
const EntryKindType = enumOf('TimelineEntryKind', ENTRY_KINDS);
const PeriodType = enumOf(
  'Period',
  PERIOD_NAMES,
  'HOUR in steps of 5 minutes, DAY by hour, MONTH (30 days) by UTC day.',
);

const SearchHitType = builder.objectRef<SearchHit>('SearchHit').implement({
  description: 'Something that a search found. Phone numbers are masked.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SubjectKindType }),
    id: t.exposeID('id'),
    title: t.exposeString('title'),
    subtitle: t.exposeString('subtitle'),
  }),
});

const ReferencesType = builder.objectRef<References>('References').implement({
  description: 'IDs of what an entry is about. Each has a timeline.',
  fields: (t) => ({
    client: t.exposeID('client', { nullable: true }),
    grant: t.exposeID('grant', { nullable: true }),
    fan: t.exposeID('fan', { nullable: true }),
    session: t.exposeID('session', { nullable: true }),
    ticket: t.exposeID('ticket', { nullable: true }),
    permit: t.exposeID('permit', { nullable: true }),
    claim: t.exposeID('claim', { nullable: true }),
    requestId: t.exposeID('requestId', { nullable: true }),
  }),
});

const TimelineEntryType = builder.objectRef<TimelineEntry>('TimelineEntry').implement({
  description: 'One thing that happened. Contains no secrets; phone numbers are masked.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    kind: t.expose('kind', { type: EntryKindType }),
    title: t.exposeString('title', { description: 'A sentence.' }),
    outcome: t.exposeString('outcome', { description: '`ok`, or the stable code of what went wrong.' }),
    message: t.exposeString('message', {
      nullable: true,
      description: 'The message that a refused caller got, without anything that looks like a secret.',
    }),
    fix: t.exposeString('fix', { nullable: true, description: 'How the caller can fix a refused request.' }),
    references: t.expose('references', { type: ReferencesType }),
    details: t.expose('details', { type: 'JSON' }),
  }),
});

const TimelineType = builder.objectRef<Timeline & { subjects: SearchHit[] }>('Timeline').implement({
  description: 'A part of a timeline, oldest entry first.',
  fields: (t) => ({
    subjects: t.expose('subjects', { type: [SearchHitType], description: 'What the search matched.' }),
    entries: t.expose('entries', { type: [TimelineEntryType] }),
    earlier: t.expose('earlier', {
      type: 'DateTime',
      nullable: true,
      description: 'The value of `before` that returns the part before this one; null at the beginning.',
    }),
  }),
});

const SeriesType = builder.objectRef<Series>('Series').implement({
  fields: (t) =>
    forBoth({
      name: t.exposeString('name'),
      values: t.exposeIntList('values', { description: 'One for each bucket; 0 where nothing happened.' }),
      total: t.exposeInt('total'),
    }),
});

const LatencyType = builder.objectRef<Latency>('Latency').implement({
  description: 'How long the requests of an operation took, in milliseconds; each figure is within 12.5 %.',
  fields: (t) =>
    forBoth({
      operation: t.exposeString('operation'),
      label: t.exposeString('label', { description: 'What was called, such as `GET /tickets`.' }),
      count: t.exposeInt('count', { description: 'Measured requests.' }),
      p50: t.exposeInt('p50'),
      p95: t.exposeInt('p95'),
      p99: t.exposeInt('p99'),
    }),
});

/** The charts of a dashboard's clients. */
function chartsOf(t: FieldsOf<Dashboard>) {
  const series = (name: 'funnel' | 'tokens' | 'calls' | 'signatures' | 'refusals' | 'claims', description: string) =>
    t.expose(name, { type: [SeriesType], description });
  return {
    buckets: t.expose('buckets', {
      type: ['DateTime'],
      description: 'When each bucket begins. The last one is still running.',
    }),
    funnel: series('funnel', 'Sign-ins: `started`, `code_sent` (resends too), `verified`, `consented`, `tokens`.'),
    tokens: series('tokens', '`exchanged`, `refreshed`, `refused`.'),
    calls: series('calls', 'Of the Fan API: `2xx`, `4xx`, `5xx`.'),
    signatures: series('signatures', 'Co-signed transactions: `list`, `cancel`.'),
    refusals: series(
      'refusals',
      'Refused requests for co-signatures by reason, the most frequent first; `others` last.',
    ),
    claims: series(
      'claims',
      'By current state, at the time they reached it: `pending`, `submitted`, `confirmed`, `failed`.',
    ),
    latency: t.expose('latency', { type: [LatencyType], description: 'For each operation that was called.' }),
  };
}

const DashboardType = builder.objectRef<Dashboard>('Dashboard').implement({
  description: 'The data of the charts. Request counts lag by up to a second.',
  fields: (t) => ({
    ...chartsOf(t),
    sms: t.expose('sms', { type: [SeriesType], description: 'Codes by SMS, production only: `sent`, `verified`.' }),
    latencySince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When measuring began, if that was within the period.',
      resolve: ({ latencySince }) => latencySince,
    }),
  }),
});

const UsageType = builder.objectRef<Dashboard>('Usage').implement({
  description: 'The data of a client’s charts. Counts lag by up to a second.',
  fields: (t) => forPartners(chartsOf(t)),
});

const FailingClientType = builder.objectRef<FailingClient>('FailingClient').implement({
  description: 'A client most of whose calls of the last hour did not succeed.',
  fields: (t) => ({
    client: t.field({ type: ClientType, resolve: ({ client_id: client }) => idOf('client', client) }),
    calls: t.exposeInt('calls', { description: 'Of the Fan API and the token endpoint.' }),
    failed: t.exposeInt('failed', { description: 'Refused calls too.' }),
  }),
});

builder.queryFields((t) => ({
  timeline: t.field({
    type: TimelineType,
    authScopes: right('console:read'),
    description:
      'The timeline of what a text identifies: an ID, an address, a signature, a phone number or a request ID.',
    args: {
      search: t.arg.string({ required: true }),
      before: t.arg({
        type: 'DateTime',
        description: 'Only entries before this time: `earlier` of the part after it.',
      }),
      limit: t.arg.int({ description: `Entries, 1 to ${MAX_PART_LENGTH}; ${PART_LENGTH} if omitted.` }),
      filter: t.arg({ type: RequestFilterInput, description: 'With an operation or a status, only requests match.' }),
    },
    resolve: async (_, args, { context }) => {
      const limit = args.limit ?? PART_LENGTH;
      if (limit < 1 || limit > MAX_PART_LENGTH) {
        throw new DomainError('invalid_request', `limit must be 1 to ${MAX_PART_LENGTH}.`);
      }
      const subjects = await resolveSearch(context, args.search);
      const [part, described] = await Promise.all([
        readTimeline(context, subjects, { before: args.before ?? undefined, limit }, given(args.filter ?? {})),
        describeSubjects(context, subjects),
      ]);
      return { ...part, subjects: described };
    },
  }),
  search: t.field({
    type: [SearchHitType],
    authScopes: right('console:read'),
    description:
      'What a text can refer to, at most 20 results: everything that `timeline` finds, events and tickets by the company’s reference, and partners, clients, events and imported files by name.',
    args: { text: t.arg.string({ required: true }) },
    resolve: (_, { text }, { context }) => search(context, text),
  }),
  request: t.field({
    type: TimelineEntryType,
    nullable: true,
    authScopes: right('console:read'),
    description: 'A request in the log, by the `X-Request-Id` of its answer.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, { context }) => (await readRequest(context, id)) ?? null,
  }),
  dashboard: t.field({
    type: DashboardType,
    authScopes: right('console:read'),
    args: {
      clientId: t.arg.id({ description: 'All clients if omitted.' }),
      period: t.arg({ type: PeriodType, required: true }),
    },
    resolve: (_, { clientId, period }, { context }) =>
      readDashboard(context, { clientId: clientId ? knownId('client', clientId) : undefined, period }),
  }),
  failingClients: t.field({
    type: [FailingClientType],
    authScopes: right('console:read'),
    description: 'Production clients with 20 calls in the last hour of which more than half failed: the worst five.',
    resolve: (_, _args, { context }) => readFailingClients(context),
  }),
  failingJobs: t.stringList({
    authScopes: right('console:read'),
    description: 'Background jobs that have failed more than five times since they last succeeded.',
    resolve: (_, _args, { context }) => readFailingJobs(context),
  }),
}));

builder.queryFields((t) =>
  forPartners({
    usage: t.field({
      type: UsageType,
      args: { clientId: t.arg.id({ required: true }), period: t.arg({ type: PeriodType, required: true }) },
      resolve: async (_, { clientId: id, period }, call) => {
        const clientId = await requireOwn(call.context, Client, 'client', id, own(call));
        return readDashboard(call.context, { clientId, period });
      },
    }),
  }),
);
