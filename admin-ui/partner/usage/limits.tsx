import { Progress, Stack } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { graphql } from '../../kit/data/graphql.ts';
import { useView } from '../../kit/data/view.ts';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { ModeMark, OutsideLink, Section } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { Small } from '../../kit/parts/text.tsx';
import { docsOfError } from '../address.ts';

const LIMITS = graphql(`
  query Limits {
    limits { name limit per says mode use { used says client { id name } } }
  }
`);

type Limit = ResultOf<typeof LIMITS>['limits'][number];

const REFRESH_MS = 30_000;

/** The limits that hold for the partner's clients, and how near these are to them. */
export function Limits() {
  const { data, error, refetch } = useView('limits', LIMITS, {}, { refetchInterval: REFRESH_MS });
  return (
    <Section
      title="Limits"
      description={
        <>
          What goes beyond is refused with 429 and Retry-After.{' '}
          <OutsideLink href={docsOfError('rate_limited')}>How to deal with it</OutsideLink>
        </>
      }
    >
      <FailureAlert failure={error} title="The limits could not be loaded" retry={refetch} />
      {data && (
        <Rows
          caption="Limits"
          rows={data.limits.map((limit) => ({ id: limit.name, ...limit }))}
          columns={{
            'What counts': ({ says }) => says,
            Limit: ({ limit }) => limit.toLocaleString('en'),
            Per: ({ per }) => per,
            'Used now': (limit) => <Use of={limit} />,
            Mode: ({ mode }) => (mode === null ? 'Both' : <ModeMark mode={mode} />),
          }}
          numeric={['Limit']}
        />
      )}
    </Section>
  );
}

/** From this share of a limit on it is in a warning colour. */
const NEAR = 0.8;

function Use({ of: { limit, use } }: { of: Limit }) {
  if (use === null) return <Small>Not shown: counted for all apps together.</Small>;
  const { used, says, client } = use;
  const share = used / limit;
  return (
    <Stack gap={4} miw={{ base: 0, sm: 180 }}>
      <span>
        {used.toLocaleString('en')} of {limit.toLocaleString('en')}
      </span>
      <Progress
        value={Math.min(100, share * 100)}
        size="sm"
        {...(share >= NEAR && { color: share >= 1 ? 'red.9' : 'yellow.6' })}
        aria-label={`${used} of ${limit} used`}
      />
      <Small>
        {client ? `${client.name}: ` : ''}
        {says}
      </Small>
    </Stack>
  );
}
