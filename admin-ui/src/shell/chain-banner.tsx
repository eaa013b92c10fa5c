import type { ResultOf } from 'gql.tada';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';

const CHAINS = graphql(`
  query Chains {
    chains { mode state }
  }
`);

type Chain = ResultOf<typeof CHAINS>['chains'][number];

const REASONS: Partial<Record<Chain['state'], string>> = {
  UNREACHABLE: 'its Solana cluster does not answer',
  WRONG_CLUSTER: 'its RPC URL leads to another Solana cluster than it should',
  AUTHORITY_ROTATED: 'the ticket program on the chain names another authority than ours',
  CONFIG_MISSING: 'the ticket program on the chain has no configuration',
};

/** While listings can not be co-signed in a mode, everybody sees it on every view, with the reason. */
export function ChainBanner() {
  const { data } = useView('chains', CHAINS, {}, { refetchInterval: 30_000 });
  return data?.chains.map(({ mode, state }) => {
    const reason = REASONS[state];
    if (reason === undefined) return null;
    return (
      <div key={mode} className="stop-banner" role="status">
        <strong>No listing can be signed in {mode.toLowerCase()}</strong>: {reason}.
      </div>
    );
  });
}
