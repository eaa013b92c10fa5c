import { CHAIN_STATES, type ChainState, readChainState } from '../src/chain/read-chain-state.ts';
import { MODES, type Mode } from '../src/entities/mode.ts';
import { builder, enumOf, right } from './builder.ts';
import { ModeType } from './event.ts';

const ChainStateType = enumOf(
  'ChainState',
  CHAIN_STATES,
  'READY, or why listings can’t be co-signed in this mode. AUTHORITY_ROTATED: the ticket program names a different authority.',
);

const ChainType = builder.objectRef<{ mode: Mode; state: ChainState; authority: string | null }>('Chain').implement({
  description: 'The current state of a mode’s Solana cluster.',
  fields: (t) => ({
    mode: t.expose('mode', { type: ModeType }),
    state: t.expose('state', { type: ChainStateType }),
    authority: t.exposeString('authority', {
      nullable: true,
      description: 'Address of the authority that co-signs; null without a connection.',
    }),
  }),
});

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
