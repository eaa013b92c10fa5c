import { CHAIN_STATES, type ChainState, readChainState } from '../src/chain/read-chain-state.ts';
import { MODES, type Mode } from '../src/entities/mode.ts';
import { builder, enumOf, right } from './builder.ts';
import { ModeType } from './event.ts';

const ChainStateType = enumOf(
  'ChainState',
  CHAIN_STATES,
  'READY, or why listings of the mode can not be co-signed. AUTHORITY_ROTATED: the ticket program names another authority.',
);

const ChainType = builder.objectRef<{ mode: Mode; state: ChainState; authority: string | null }>('Chain').implement({
  description: 'The Solana cluster of a mode, as it answers now.',
  fields: (t) => ({
    mode: t.expose('mode', { type: ModeType }),
    state: t.expose('state', { type: ChainStateType }),
    authority: t.exposeString('authority', {
      nullable: true,
      description: 'Address of the authority that this service co-signs with; null without a connection.',
    }),
  }),
});

builder.queryFields((t) => ({
  chains: t.field({
    type: [ChainType],
    authScopes: right('console:read'),
    description: 'One for each mode. Asks the clusters, for two seconds at most.',
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
