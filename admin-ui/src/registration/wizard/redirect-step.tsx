import { Stack, Text, Title } from '@mantine/core';
import { Origins } from '../code-list.tsx';
import { RedirectUrisField } from '../redirect-uris-field.tsx';
import type { StepProps } from '../use-registration.ts';

/** Where codes are sent, and which browser origins follow from it. */
export function RedirectStep({ form, lint }: StepProps) {
  return (
    <Stack gap="lg" maw={760}>
      <Stack gap={4}>
        <Title order={2}>Redirect URIs</Title>
        <Text size="sm" c="dimmed">
          After signing in, the fan’s browser goes to one of these with the code. The app must name it exactly as it is
          written here.
        </Text>
      </Stack>
      <RedirectUrisField
        {...form.getInputProps('redirectUris')}
        value={form.values.redirectUris}
        mode={form.values.mode}
        faults={lint.redirectUriFaults}
      />
      <Stack gap={4}>
        <Title order={3}>Origins that may call from a browser (CORS)</Title>
        <Origins origins={lint.corsOrigins ?? []} />
      </Stack>
    </Stack>
  );
}
