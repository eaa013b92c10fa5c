import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { asDifferences, isInForce, listsAnywhere } from '../../kit/client/registration.ts';
import { RegistrationFacts } from '../../kit/client/registration-facts.tsx';
import { useScopes } from '../../kit/client/use-edit.ts';
import { Diff } from '../../kit/parts/diff.tsx';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import type { ClientData, ReviewData } from './document.ts';
import { LogoImage, type useLogo } from './logo.tsx';

interface ReviewSummaryProps {
  client: ClientData;
  review: ReviewData;
  logo: ReturnType<typeof useLogo>;
}

/** Everything that a review decides about: what it would change in the registration in force, and the whole registration. */
export function ReviewSummary({ client, review, logo }: ReviewSummaryProps) {
  const { changes, registration } = review;
  const scopes = useScopes();
  return (
    <Stack gap="md">
      {changes === null ? (
        <Text size="sm">This is the first review, so everything is new.</Text>
      ) : (
        <>
          <Title order={3}>What changes</Title>
          <Diff
            caption="What the edit changes"
            beforeTitle="In force"
            afterTitle="Waiting for review"
            differences={asDifferences(changes)}
          />
          <Title order={3}>The whole registration</Title>
        </>
      )}
      <RegistrationFacts
        registration={registration}
        inForce={isInForce(client) ? client : undefined}
        logo={
          logo.isLoading ? <Skeleton height={48} width={48} /> : <LogoImage name={registration.name} logo={logo.logo} />
        }
        anywhere={listsAnywhere(client.mode, registration) ? 'it is not approved without one' : undefined}
        scopes={scopes.data?.scopes}
      />
      <FailureAlert failure={logo.error} title="The logo could not be loaded" retry={logo.refetch} />
    </Stack>
  );
}
