import { Alert, Skeleton, Stack, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { graphql } from '../../data/graphql.ts';
import { useView } from '../../data/view.ts';
import { Facts } from '../../parts/facts.tsx';
import { ModeMark } from '../../parts/marks.tsx';
import { CodeList, Origins } from '../code-list.tsx';
import { filledIn } from '../use-lint.ts';
import type { StepProps } from '../use-registration.ts';

const NAME = graphql(`
  query PartnerName($id: ID!) {
    partner(id: $id) { id name }
  }
`);

/** Everything once more, before it is registered. */
export function SummaryStep({ form: { values }, lint }: StepProps) {
  const partner = useView('partner-name', NAME, { id: values.partnerId }).data?.partner;
  return (
    <Stack gap="lg">
      <Title order={2}>Summary</Title>
      <Facts
        of={{
          Name: values.name.trim(),
          Partner: partner?.name ?? <Skeleton height={16} width={140} />,
          Mode: <ModeMark mode={values.mode} />,
          'Redirect URIs': <CodeList of={filledIn(values.redirectUris)} />,
          Scopes: <CodeList of={values.scopes} />,
          'Origins that may call (CORS)': <Origins origins={lint.corsOrigins ?? []} />,
        }}
      />
      <Alert variant="light" icon={<IconInfoCircle aria-hidden />}>
        {values.mode === 'SANDBOX'
          ? 'It works as soon as it is registered. The next page offers test data to try it with.'
          : 'It begins as a draft that nobody can use. Submit it for review from its page; somebody else approves it.'}
      </Alert>
    </Stack>
  );
}
