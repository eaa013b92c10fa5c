import { Box } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useLocation } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { ViewLink } from '../../kit/parts/page.tsx';
import { shortened } from '../../kit/parts/values.tsx';
import type { Need } from '../dashboard/needs.ts';
import { graphql } from '../data/graphql.ts';
import { countryName } from '../parts/country-name.ts';

const STOPPED = graphql(`
  query Stopped {
    killSwitches(first: 5) {
      totalCount
      nodes { id kind reason country marketplace client { id name } fan { id } }
    }
  }
`);

type Stop = ResultOf<typeof STOPPED>['killSwitches']['nodes'][number];

function nameOf({ kind, country, marketplace, client }: Stop): string {
  switch (kind) {
    case 'CO_SIGNING':
      return 'all co-signing';
    case 'SMS_COUNTRY':
      return `codes by SMS to ${countryName(country ?? '') ?? country}`;
    case 'CLIENT':
      return `client ${client?.name}`;
    case 'FAN':
      return 'a fan';
    case 'MARKETPLACE':
      return `marketplace ${shortened(marketplace ?? '')}`;
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

const POLLED = { refetchInterval: 30_000 };

/** What is stopped by hand, why listings can't be co-signed, and that the payer of permits is low. */
export function useFaults(): Need[] {
  const stopped = useView('stopped', STOPPED, {}, POLLED).data?.killSwitches;
  const chains = useView('chains', CHAINS, {}, POLLED).data?.chains ?? [];
  return [
    ...stopNeeds(stopped),
    ...chains.flatMap(({ mode, state }) => {
      const text = REASONS[state];
      const title = `Listings can’t be signed in ${mode.toLowerCase()}`;
      return text === undefined ? [] : [{ title, text, runbook: 'ChainNotReady' }];
    }),
    ...chains.flatMap(({ mode, payer }) => {
      if (payer === null || payer.level === 'ENOUGH') return [];
      const isEmpty = payer.level === 'EMPTY';
      const state = isEmpty ? 'is empty' : `lasts for ${payer.permits} more`;
      return [
        {
          title: `${isEmpty ? 'No permits can be issued' : 'The SOL for permits runs low'} in ${mode.toLowerCase()}`,
          text: `the payer ${state}. Send SOL to ${payer.address}.`,
          runbook: isEmpty ? 'PayerEmpty' : 'PayerLow',
        },
      ];
    }),
  ];
}

function stopNeeds(stopped: ResultOf<typeof STOPPED>['killSwitches'] | undefined): Need[] {
  const [first] = stopped?.nodes ?? [];
  if (stopped === undefined || first === undefined) return [];
  const more = stopped.totalCount - stopped.nodes.length;
  const names = stopped.nodes.map(nameOf).join(', ');
  const title = `Stopped: ${names}${more > 0 ? ` and ${more} more` : ''}`;
  return [{ title, text: first.reason, href: '/kill-switches' }];
}

/** Above every view but Home, which lists them: they explain most of what looks broken. */
export function Banners() {
  const faults = useFaults();
  const [location] = useLocation();
  if (location === '/') return null;
  return faults.map(({ title, text, href }) => (
    <Box
      key={title}
      role="status"
      className="breakable"
      bg="var(--stop)"
      c="white"
      fz="sm"
      px={{ base: 14, sm: 28 }}
      py={8}
    >
      <strong>{title}</strong>: {text}{' '}
      {href !== undefined && (
        <ViewLink href={href} c="inherit" underline="always">
          Kill switches
        </ViewLink>
      )}
    </Box>
  ));
}
