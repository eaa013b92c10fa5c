import { ENTRY_KINDS, type References, type TimelineEntry } from '../src/activity/describe-entry.ts';
import { type Dashboard, PERIOD_NAMES, readDashboard, type Series } from '../src/activity/read-dashboard.ts';
import { readRequest, readTimeline, type Timeline } from '../src/activity/read-timeline.ts';
import { resolveSearch } from '../src/activity/resolve-search.ts';
import { describeSubjects, type SearchHit, search } from '../src/activity/search.ts';
import { SUBJECT_KINDS } from '../src/activity/subject.ts';
import { DomainError } from '../src/errors.ts';
import { knownId } from '../src/identifier/known-id.ts';
import { builder, enumOf, right } from './builder.ts';

/** Entries of a part of a timeline by default, and at most. */
const PART_LENGTH = 100;
const MAX_PART_LENGTH = 500;

const SubjectKindType = enumOf('SubjectKind', SUBJECT_KINDS, 'What has a timeline.');
const EntryKindType = enumOf('TimelineEntryKind', ENTRY_KINDS);
const PeriodType = enumOf(
  'Period',
  PERIOD_NAMES,
  'HOUR by five minutes, DAY by hours, MONTH (30 days) by days of UTC.',
);

const SearchHitType = builder.objectRef<SearchHit>('SearchHit').implement({
  description: 'Something that a search found. Phones in it are masked.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SubjectKindType }),
    id: t.exposeID('id'),
    title: t.exposeString('title'),
    subtitle: t.exposeString('subtitle'),
  }),
});

const ReferencesType = builder.objectRef<References>('References').implement({
  description: 'Identifiers of what an entry is about: each has a timeline.',
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
  description: 'One thing that happened. No secret is in it; phones are masked.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    kind: t.expose('kind', { type: EntryKindType }),
    title: t.exposeString('title', { description: 'A sentence.' }),
    outcome: t.exposeString('outcome', { description: '`ok`, or the stable code of what went wrong.' }),
    references: t.expose('references', { type: ReferencesType }),
    details: t.expose('details', { type: 'JSON' }),
  }),
});

const TimelineType = builder.objectRef<Timeline & { subjects: SearchHit[] }>('Timeline').implement({
  description: 'A part of a timeline, oldest entry first.',
  fields: (t) => ({
    subjects: t.expose('subjects', { type: [SearchHitType], description: 'What the search named.' }),
    entries: t.expose('entries', { type: [TimelineEntryType] }),
    earlier: t.expose('earlier', {
      type: 'DateTime',
      nullable: true,
      description: '`before` of the part before this one; null at the beginning.',
    }),
  }),
});

const SeriesType = builder.objectRef<Series>('Series').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    values: t.exposeIntList('values', { description: 'One for each bucket; 0 where nothing happened.' }),
    total: t.exposeInt('total'),
  }),
});

const DashboardType = builder.objectRef<Dashboard>('Dashboard').implement({
  description: 'What the charts show. Counts of requests are up to a second behind.',
  fields: (t) => {
    const series = (name: Exclude<keyof Dashboard, 'buckets'>, description: string) =>
      t.expose(name, { type: [SeriesType], description });
    return {
      buckets: t.expose('buckets', { type: ['DateTime'], description: 'Where each begins; the last one is not over.' }),
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
        'By the state they are in, when they came to it: `pending`, `submitted`, `confirmed`, `failed`.',
      ),
      sms: series('sms', 'Codes by SMS, production only: `sent`, `verified`.'),
    };
  },
});

builder.queryFields((t) => ({
  timeline: t.field({
    type: TimelineType,
    authScopes: right('console:read'),
    description: 'The timeline of what a text names: any identifier, an address, a signature, a phone, a request id.',
    args: {
      search: t.arg.string({ required: true }),
      before: t.arg({ type: 'DateTime', description: 'Only what happened before; `earlier` of the part after it.' }),
      limit: t.arg.int({ description: `Entries, 1 to ${MAX_PART_LENGTH}; ${PART_LENGTH} when left out.` }),
    },
    resolve: async (_, args, { context }) => {
      const limit = args.limit ?? PART_LENGTH;
      if (limit < 1 || limit > MAX_PART_LENGTH) {
        throw new DomainError('invalid_request', `limit must be 1 to ${MAX_PART_LENGTH}.`);
      }
      const subjects = await resolveSearch(context, args.search);
      const [part, described] = await Promise.all([
        readTimeline(context, subjects, { before: args.before ?? undefined, limit }),
        describeSubjects(context, subjects),
      ]);
      return { ...part, subjects: described };
    },
  }),
  search: t.field({
    type: [SearchHitType],
    authScopes: right('console:read'),
    description:
      'What a text may mean, at most 20: all that `timeline` finds, and names of partners, clients and events.',
    args: { text: t.arg.string({ required: true }) },
    resolve: (_, { text }, { context }) => search(context, text),
  }),
  request: t.field({
    type: TimelineEntryType,
    nullable: true,
    authScopes: right('console:read'),
    description: 'A request of the last 30 days, by the id that its answer carried.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, { context }) => (await readRequest(context, id)) ?? null,
  }),
  dashboard: t.field({
    type: DashboardType,
    authScopes: right('console:read'),
    args: {
      clientId: t.arg.id({ description: 'All clients together where it is left out.' }),
      period: t.arg({ type: PeriodType, required: true }),
    },
    resolve: (_, { clientId, period }, { context }) =>
      readDashboard(context, { clientId: clientId ? knownId('client', clientId) : undefined, period }),
  }),
}));
