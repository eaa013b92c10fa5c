import { Anchor } from '@mantine/core';
import { useView } from '../../../../console-kit/data/view.ts';
import { FailureAlert } from '../../../../console-kit/parts/failure-alert.tsx';
import { ModeMark } from '../../../../console-kit/parts/marks.tsx';
import { Rows } from '../../../../console-kit/parts/rows.tsx';
import { Section } from '../../../../console-kit/parts/section.tsx';
import { docsOfError } from '../address.ts';
import { graphql } from '../data/graphql.ts';

const LIMITS = graphql(`
  query Limits {
    limits { name limit per says mode }
  }
`);

/** The limits that hold for the partner's clients. */
export function Limits() {
  const { data, error, refetch } = useView('limits', LIMITS, {}, { staleTime: 600_000 });
  return (
    <Section
      title="Limits"
      description={
        <>
          What goes beyond is refused with 429 and Retry-After.{' '}
          <Anchor href={docsOfError('rate_limited')} inherit underline="always">
            How to deal with it
          </Anchor>
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
            Mode: ({ mode }) => (mode === null ? 'Both' : <ModeMark mode={mode} />),
          }}
          numeric={['Limit']}
        />
      )}
    </Section>
  );
}
