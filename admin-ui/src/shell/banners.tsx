import { Box } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import type { ReactNode } from 'react';
import { useView } from '../../../console-kit/data/view.ts';
import { ViewLink } from '../../../console-kit/parts/view-link.tsx';
import { graphql } from '../data/graphql.ts';
import { countryName } from '../parts/country-name.ts';

/** Above every view, what is stopped or out of order: it explains most of what looks broken. */
export function Banners() {
  return (
    <>
      <StopBanner />
      <ChainBanners />
      <PayerBanners />
    </>
  );
}

function Banner({ children }: { children: ReactNode }) {
  return (
    <Box role="status" className="breakable" bg="var(--stop)" c="white" fz="sm" px={{ base: 14, sm: 28 }} py={8}>
      {children}
    </Box>
  );
}

const STOPPED = graphql(`
  query Stopped {
    killSwitches(first: 5) {
      totalCount
      nodes { id kind reason country client { id name } fan { id } }
    }
  }
`);

type Stop = ResultOf<typeof STOPPED>['killSwitches']['nodes'][number];

/** While something is stopped by hand. */
function StopBanner() {
  const { data } = useView('stopped', STOPPED, {}, { refetchInterval: 30_000 });
  const stops = data?.killSwitches.nodes ?? [];
  const [first] = stops;
  if (data === undefined || first === undefined) return null;
  const more = data.killSwitches.totalCount - stops.length;
  return (
    <Banner>
      <strong>Stopped: {stops.map(nameOf).join(', ')}</strong>
      {more > 0 && ` and ${more} more`}. {first.reason}{' '}
      <ViewLink href="/kill-switches" c="inherit" underline="always">
        Kill switches
      </ViewLink>
    </Banner>
  );
}

function nameOf({ kind, country, client }: Stop): string {
  switch (kind) {
    case 'CO_SIGNING':
      return 'all co-signing';
    case 'SMS_COUNTRY':
      return `codes by SMS to ${countryName(country ?? '') ?? country}`;
    case 'CLIENT':
      return `client ${client?.name}`;
    case 'FAN':
      return 'a fan';
  }
}

const CHAINS = graphql(`
  query Chains {
    chains { mode state payer { address permits level } }
  }
`);

type ChainState = ResultOf<typeof CHAINS>['chains'][number]['state'];

const REASONS: Partial<Record<ChainState, string>> = {
  UNREACHABLE: 'the Solana cluster is not responding',
  WRONG_CLUSTER: 'the RPC URL points to the wrong Solana cluster',
  AUTHORITY_ROTATED: 'the ticket program names a different authority',
  CONFIG_MISSING: 'the ticket program has no onchain configuration',
};

/** While listings can't be co-signed in a mode, with the reason. */
function ChainBanners() {
  const { data } = useView('chains', CHAINS, {}, { refetchInterval: 30_000 });
  return data?.chains.map(
    ({ mode, state }) =>
      REASONS[state] !== undefined && (
        <Banner key={mode}>
          <strong>Listings can’t be signed in {mode.toLowerCase()}</strong>: {REASONS[state]}.
        </Banner>
      ),
  );
}

/** While the account that pays for permits is low, with where to send SOL. */
function PayerBanners() {
  const { data } = useView('chains', CHAINS, {}, { refetchInterval: 30_000 });
  return data?.chains.map(
    ({ mode, payer }) =>
      payer &&
      payer.level !== 'ENOUGH' && (
        <Banner key={mode}>
          <strong>
            {payer.level === 'EMPTY' ? 'No permits can be issued' : 'The SOL for permits runs low'} in{' '}
            {mode.toLowerCase()}
          </strong>
          : the payer {payer.level === 'EMPTY' ? 'is empty' : `lasts for ${payer.permits} more`}. Send SOL to{' '}
          {payer.address}.
        </Banner>
      ),
  );
}
