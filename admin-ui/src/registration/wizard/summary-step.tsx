import { Alert, Code, Skeleton, Stack, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { graphql } from '../../data/graphql.ts';
import { useView } from '../../data/view.ts';
import { Facts } from '../../parts/facts.tsx';
import { ModeMark } from '../../parts/marks.tsx';
import { Origins } from '../origins.tsx';
import { filledIn, type Registration } from '../use-lint.ts';

const NAME = graphql(`
  query PartnerName($id: ID!) {
    partner(id: $id) { id name }
  }
`);

interface SummaryStepProps {
  registration: Registration;
  partnerId: string;
  origins: readonly string[];
}

/** Everything once more, before it is registered. */
export function SummaryStep({ registration, partnerId, origins }: SummaryStepProps) {
  const partner = useView('partner-name', NAME, { id: partnerId }).data?.partner;
  return (
    <Stack gap="lg">
      <Title order={2}>Summary</Title>
      <Facts
        of={[
          ['Name', registration.name.trim()],
          ['Partner', partner?.name ?? <Skeleton key="partner" height={16} width={140} />],
          ['Mode', <ModeMark key="mode" mode={registration.mode} />],
          ['Redirect URIs', <Lines key="uris" of={filledIn(registration.redirectUris)} />],
          ['Scopes', <Lines key="scopes" of={registration.scopes} />],
          ['Origins that may call (CORS)', <Origins key="origins" origins={origins} />],
        ]}
      />
      <Alert variant="light" icon={<IconInfoCircle aria-hidden />}>
        {registration.mode === 'SANDBOX'
          ? 'It works as soon as it is registered. The next page offers test data to try it with.'
          : 'It begins as a draft that nobody can use. Submit it for review from its page; somebody else approves it.'}
      </Alert>
    </Stack>
  );
}

function Lines({ of }: { of: readonly string[] }) {
  return (
    <ul className="plain-list">
      {of.map((line) => (
        <li key={line}>
          <Code>{line}</Code>
        </li>
      ))}
    </ul>
  );
}
