import { Stack, Text, Title } from '@mantine/core';
import { Origins } from '../origins.tsx';
import { RedirectUrisField } from '../redirect-uris-field.tsx';
import type { StepProps } from './step.ts';

interface RedirectStepProps extends StepProps {
  lint: { redirectUrisFault: string | null; corsOrigins: string[] } | undefined;
  faults: readonly (string | undefined)[];
}

/** Where codes are sent, and what follows from it for browsers. */
export function RedirectStep({ registration, change, tried, lint, faults }: RedirectStepProps) {
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
        uris={registration.redirectUris}
        onChange={(redirectUris) => change({ redirectUris })}
        mode={registration.mode}
        faults={faults}
        fault={tried ? (lint?.redirectUrisFault ?? undefined) : undefined}
      />
      <Stack gap={4}>
        <Title order={3}>Origins that may call from a browser (CORS)</Title>
        <Origins origins={lint?.corsOrigins ?? []} />
      </Stack>
    </Stack>
  );
}
