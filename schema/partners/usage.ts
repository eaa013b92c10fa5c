import { Client } from '../../src/entities/client.ts';
import { SigningKey } from '../../src/entities/signing-key.ts';
import { discoveryDocument } from '../../src/oauth/metadata.ts';
import { type LimitUse, limitUse } from '../../src/people/workspace/limit-use.ts';
import { type PartnerLimit, partnerLimits } from '../../src/people/workspace/partner-limits.ts';
import { type ServiceAddresses, serviceAddresses } from '../../src/people/workspace/service-addresses.ts';
import { type Dashboard, PERIOD_NAMES, readDashboard, type Series } from '../../src/record/activity/read-dashboard.ts';
import type { Latency } from '../../src/record/activity/read-latency.ts';
import { builder, enumOf } from './builder.ts';
import { ClientType, ModeType } from './client.ts';
import { own, requireOwn } from './scope.ts';

const PeriodType = enumOf(
  'Period',
  PERIOD_NAMES,
  'HOUR in steps of 5 minutes, DAY by hour, MONTH (30 days) by UTC day.',
);

const SeriesType = builder.objectRef<Series>('Series').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    values: t.exposeIntList('values', { description: 'One for each bucket; 0 where nothing happened.' }),
    total: t.exposeInt('total'),
  }),
});

const LatencyType = builder.objectRef<Latency>('Latency').implement({
  description: 'How long the requests of an operation took, in milliseconds; each figure is within 12.5 %.',
  fields: (t) => ({
    operation: t.exposeString('operation'),
    label: t.exposeString('label', { description: 'What was called, such as `GET /tickets`.' }),
    count: t.exposeInt('count', { description: 'Measured requests.' }),
    p50: t.exposeInt('p50'),
    p95: t.exposeInt('p95'),
    p99: t.exposeInt('p99'),
  }),
});

const UsageType = builder.objectRef<Dashboard>('Usage').implement({
  description: 'The data of a client’s charts. Counts lag by up to a second.',
  fields: (t) => {
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
  },
});

const LimitUseType = builder.objectRef<LimitUse>('LimitUse').implement({
  description: 'How near you are to a limit now.',
  fields: (t) => ({
    used: t.exposeInt('used', { description: 'To be compared with the limit.' }),
    says: t.exposeString('says', {
      description: 'What the figure is, such as `the busiest grant, in the last minute`.',
    }),
    client: t.field({
      type: ClientType,
      nullable: true,
      description: 'The client that has used most; null where none has used any.',
      resolve: ({ client }) => client,
    }),
  }),
});

interface LimitWithUse extends PartnerLimit {
  use: LimitUse | null;
}

const LimitType = builder.objectRef<LimitWithUse>('Limit').implement({
  description: 'A limit on calls. Beyond it they are refused with 429 and `Retry-After`.',
  fields: (t) => ({
    name: t.exposeString('name'),
    limit: t.exposeInt('limit'),
    per: t.exposeString('per', { description: 'Such as `minute and grant`.' }),
    says: t.exposeString('says', { description: 'What is counted.' }),
    mode: t.expose('mode', { type: ModeType, nullable: true, description: 'Null where it holds in both.' }),
    use: t.expose('use', {
      type: LimitUseType,
      nullable: true,
      description: 'Null where it is counted over the clients of every partner, and so not shown.',
    }),
  }),
});

const KeyType = builder.objectRef<SigningKey>('SigningKey').implement({
  description: 'A public key with which tokens are signed, or will be soon.',
  fields: (t) => ({
    kid: t.exposeID('kid', { description: 'RFC 7638 thumbprint.' }),
    isCurrent: t.boolean({ description: 'Whether it signs now.', resolve: ({ state }) => state === 'current' }),
    publicJwk: t.expose('publicJwk', { type: 'JSON' }),
    publishedAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const AddressesType = builder.objectRef<ServiceAddresses>('ServiceAddresses').implement({
  description: 'Where the service is. Clients are public: they have no secret, so there is none to rotate.',
  fields: (t) => ({
    issuer: t.exposeString('issuer'),
    discoveryUrl: t.exposeString('discoveryUrl'),
    jwksUrl: t.exposeString('jwksUrl'),
    apiUrl: t.exposeString('apiUrl'),
    openapiUrl: t.exposeString('openapiUrl'),
    loginUrl: t.exposeString('loginUrl'),
    sandboxRpcUrl: t.exposeString('sandboxRpcUrl', {
      nullable: true,
      description: 'Of the test network; null where partners use a node of their own.',
    }),
    discovery: t.field({
      type: 'JSON',
      description: 'The discovery document.',
      resolve: ({ issuer }, _args, { context }) => discoveryDocument(issuer, context.uiLocales),
    }),
  }),
});

builder.queryFields((t) => ({
  usage: t.field({
    type: UsageType,
    args: { clientId: t.arg.id({ required: true }), period: t.arg({ type: PeriodType, required: true }) },
    resolve: async (_, { clientId: id, period }, call) => {
      const clientId = await requireOwn(call.context, Client, 'client', id, own(call));
      return readDashboard(call.context, { clientId, period });
    },
  }),
  limits: t.field({
    type: [LimitType],
    description: 'The limits that hold for your clients, and what these have used of them.',
    resolve: async (_, _args, call): Promise<LimitWithUse[]> => {
      const use = await limitUse(call.context, own(call).partner);
      return partnerLimits(call.context.config).map((limit) => ({ ...limit, use: use[limit.name] ?? null }));
    },
  }),
  signingKeys: t.field({
    type: [KeyType],
    description: 'The published keys, newest first.',
    resolve: (_, _args, { context }) =>
      context.em.find(
        SigningKey,
        // a key of one client signs for its tests only
        { state: { $in: ['next', 'current', 'retiring'] }, client: null },
        { orderBy: { createdAt: 'desc' } },
      ),
  }),
  addresses: t.field({ type: AddressesType, resolve: (_, _args, { context }) => serviceAddresses(context) }),
}));
