import { SimpleGrid, Stack, Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useDisabledReason } from '../../kit/data/person.ts';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { StopForm } from '../kill-switch/stop-form.tsx';
import type { ClientData } from './document.ts';
import { useStepObstacle } from './steps.ts';
import { TakeStepDialog } from './take-step-dialog.tsx';

/** The two ways to stop a client, side by side, with what tells them apart; a sandbox client has only one. */
export function StopSection({ client }: { client: ClientData }) {
  const suspend = client.steps.find(({ name }) => name === 'SUSPEND');
  if (client.killSwitch !== null && !suspend) return null;
  return (
    <Section
      title="Stop this client"
      description="Grants and tokens are kept: they work again as soon as the client does."
    >
      <SimpleGrid cols={{ base: 1, sm: suspend && !client.killSwitch ? 2 : 1 }} spacing="lg">
        {suspend && <Suspend client={client} step={suspend} />}
        {client.killSwitch === null && <KillSwitch client={client} />}
      </SimpleGrid>
    </Section>
  );
}

function Suspend({ client, step }: { client: ClientData; step: ClientData['steps'][number] }) {
  const [taken, setTaken] = useState<ClientData>();
  const obstacle = useStepObstacle()(step);
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        <strong>Suspend</strong> a client that should stay off for a while, such as during a dispute or a repair: fans
        can’t sign in and the app loses access, until a reviewer or an admin enables it again.
      </Text>
      <ActionButton
        size="xs"
        variant="default"
        disabledReason={obstacle}
        fresh={step.right.fresh}
        onClick={() => setTaken(client)}
      >
        Suspend this client
      </ActionButton>
      <Reason of={obstacle} />
      {taken && <TakeStepDialog name="SUSPEND" client={taken} onClose={() => setTaken(undefined)} />}
    </Stack>
  );
}

function KillSwitch({ client: { id } }: { client: ClientData }) {
  const [stopping, setStopping] = useState(false);
  const obstacle = useDisabledReason('switches:write');
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        <strong>Use the kill switch</strong> in an incident, whatever the client’s status: fans can’t sign in and the
        app loses access, all staff see it at the top of every page, and once an admin lifts it, the client returns to
        the status it had.
      </Text>
      <ActionButton
        size="xs"
        color="red.9"
        leftSection={<IconHandStop size={14} aria-hidden />}
        disabledReason={obstacle}
        fresh
        onClick={() => setStopping(true)}
      >
        Use the kill switch
      </ActionButton>
      <Reason of={obstacle} />
      {stopping && <StopForm kind="CLIENT" subject={id} onClose={() => setStopping(false)} />}
    </Stack>
  );
}

/** Why the button above is disabled, for those who don't point at it. */
function Reason({ of: reason }: { of: string | undefined }) {
  if (reason === undefined) return null;
  return (
    <Text size="xs" c="dimmed">
      {reason}
    </Text>
  );
}
