import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { ScopesField } from '../scopes-field.tsx';
import { useScopes } from '../use-scopes.ts';
import type { StepProps } from './step.ts';

/** What the client may ask fans for. */
export function ScopesStep({ registration, change, fault }: StepProps & { fault: string | undefined }) {
  const { data, error, refetch } = useScopes();
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={2}>Scopes</Title>
        <Text size="sm" c="dimmed">
          The most that it may ask for. Fans see each action on the consent page and may refuse it; fewer scopes mean
          fewer questions.
        </Text>
      </Stack>
      {error && <FailureAlert failure={error} title="The scopes could not be read" retry={refetch} />}
      {data ? (
        <ScopesField
          options={data.scopes}
          value={registration.scopes}
          onChange={(scopes) => change({ scopes })}
          fault={fault}
        />
      ) : (
        <Skeleton height={280} />
      )}
    </Stack>
  );
}
