import { PAYER_LEVELS, type PayerState, readPayerSoon } from '../src/chain/payer.ts';
import { CHAIN_STATES, type ChainState, readChainState } from '../src/chain/watch-chain.ts';
import { PAYMENT_PURPOSES } from '../src/entities/payment.ts';
import { type DayCost, type PurposeCost, readCosts } from '../src/inventory/issuing/read-costs.ts';
import { type Backlog, readBacklog } from '../src/inventory/issuing/watch-issuing.ts';
import { DomainError } from '../src/platform/errors.ts';
import { MODES, type Mode } from '../src/platform/mode.ts';
import { builder, enumOf, right } from './builder.ts';
import { ModeType } from './event.ts';

const ChainStateType = enumOf(
  'ChainState',
  CHAIN_STATES,
  'READY, or why listings can’t be co-signed in this mode. AUTHORITY_ROTATED: the ticket program names a different authority.',
);

const PayerLevelType = enumOf(
  'PayerLevel',
  PAYER_LEVELS,
  'LOW: it lasts for fewer than 1,000 permits. EMPTY: for none.',
);

const PayerType = builder.objectRef<PayerState>('Payer').implement({
  description: 'The account that pays for events and permits of a mode.',
  fields: (t) => ({
    address: t.exposeString('address'),
    spendable: t.expose('spendable', { type: 'BigInt', description: 'Lamports.' }),
    permits: t.expose('permits', { type: 'BigInt', description: 'For how many permits they last.' }),
    level: t.expose('level', { type: PayerLevelType }),
  }),
});

const BacklogType = builder.objectRef<Backlog>('PermitBacklog').implement({
  description: 'Permits that wait to be issued.',
  fields: (t) => ({
    waiting: t.exposeInt('waiting'),
    setAside: t.exposeInt('setAside', { description: 'Of those, refused by the cluster: they are tried again later.' }),
    oldest: t.expose('oldest', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when the oldest waits that was not refused.',
    }),
  }),
});

const PurposeCostType = builder.objectRef<PurposeCost>('ChainPurposeCost').implement({
  description: 'What the payer paid for one purpose. Amounts are in lamports.',
  fields: (t) => ({
    purpose: t.expose('purpose', {
      type: enumOf('ChainPurpose', PAYMENT_PURPOSES, 'DEPOSIT: somebody paid the payer.'),
    }),
    transactions: t.exposeInt('transactions'),
    fees: t.expose('fees', { type: 'BigInt' }),
    rest: t.expose('rest', { type: 'BigInt', description: 'Besides the fees; negative where lamports came to it.' }),
  }),
});

const DayCostType = builder.objectRef<DayCost>('ChainDayCost').implement({
  description:
    'What events and permits cost onchain on a day, and what came back. Amounts are in lamports; transactions under way count with what they are expected to cost.',
  fields: (t) => ({
    day: t.exposeString('day', { description: 'In UTC, such as `2026-11-27`.' }),
    events: t.exposeInt('events'),
    eventCost: t.expose('eventCost', { type: 'BigInt' }),
    permits: t.exposeInt('permits'),
    transactions: t.exposeInt('transactions', { description: 'That issued permits.' }),
    lost: t.exposeInt('lost', { description: 'Transactions that failed, were refused or dropped.' }),
    fees: t.expose('fees', { type: 'BigInt' }),
    rent: t.expose('rent', { type: 'BigInt' }),
    perPermit: t.expose('perPermit', { type: 'BigInt', nullable: true, description: 'Fees and rent over permits.' }),
    closedEvents: t.exposeInt('closedEvents'),
    closedPermits: t.exposeInt('closedPermits'),
    closingFees: t.expose('closingFees', { type: 'BigInt', description: 'Of closing them.' }),
    returned: t.expose('returned', { type: 'BigInt', description: 'Rent that came back from them.' }),
    payments: t.expose('payments', {
      type: [PurposeCostType],
      description: 'Everything that the payer paid, by purpose, as the chain has it at `finalized`.',
    }),
  }),
});

const ChainType = builder.objectRef<{ mode: Mode; state: ChainState; authority: string | null }>('Chain').implement({
  description: 'The current state of a mode’s Solana cluster.',
  fields: (t) => ({
    mode: t.expose('mode', { type: ModeType }),
    state: t.expose('state', { type: ChainStateType }),
    authority: t.exposeString('authority', {
      nullable: true,
      description: 'Address of the authority that co-signs; null without a connection.',
    }),
    payer: t.field({
      type: PayerType,
      nullable: true,
      description: 'Null where the cluster does not answer within two seconds.',
      resolve: async ({ mode }, _args, { context }) => (await readPayerSoon(context, mode)) ?? null,
    }),
    backlog: t.field({ type: BacklogType, resolve: ({ mode }, _args, { context }) => readBacklog(context, mode) }),
    costs: t.field({
      type: [DayCostType],
      args: { days: t.arg.int({ defaultValue: 30, description: '1 to 366.' }) },
      description: 'The last days on which anything was put onto the chain or closed, newest first.',
      resolve: ({ mode }, { days }, { context }) => readCosts(context, mode, requireDays(days)),
    }),
  }),
});

const MOST_DAYS = 366;

function requireDays(days: number | null | undefined): number {
  const given = days ?? 30;
  if (given < 1 || given > MOST_DAYS) throw new DomainError('invalid_request', `days must be 1 to ${MOST_DAYS}.`);
  return given;
}

builder.queryFields((t) => ({
  chains: t.field({
    type: [ChainType],
    authScopes: right('console:read'),
    description: 'One per mode. Asks the clusters and waits up to two seconds.',
    resolve: (_, _args, { context: { chains } }) =>
      Promise.all(
        MODES.map(async (mode) => ({
          mode,
          state: await readChainState(chains, mode),
          authority: chains[mode]?.authority ?? null,
        })),
      ),
  }),
}));
