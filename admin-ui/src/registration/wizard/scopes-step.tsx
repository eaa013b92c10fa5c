import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { ScopesField, useScopes } from '../scopes-field.tsx';
import type { StepProps } from '../use-registration.ts';

/** What the client may ask fans for. */
export function ScopesStep({ form, lint }: StepProps) {
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
      <FailureAlert failure={error} title="The scopes could not be read" retry={refetch} />
      {data ? (
        <ScopesField
          {...form.getInputProps('scopes')}
          value={form.values.scopes}
          error={lint.errors?.scopes}
          options={data.scopes}
        />
      ) : (
        <Skeleton height={280} />
      )}
    </Stack>
  );
}
