import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../kit/data/view.ts';
import { ConfirmButton } from '../../kit/parts/confirm-dialog.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { ShownOnce } from '../../kit/parts/shown-once.tsx';
import { DOCS } from '../address.ts';
import { MAKE_KEY, type SimulatedClient } from './documents.ts';

/** The key with which tests arm failures. */
export function SandboxKey({ client: { id, name, simulation } }: { client: SimulatedClient }) {
  const make = useChange(MAKE_KEY);
  const [key, setKey] = useState<string>();
  return (
    <Section
      title="From your tests"
      description="With a sandbox key, tests arm failures and move the clock over HTTP."
      actions={
        <ConfirmButton
          size="xs"
          variant="default"
          title="Make a sandbox key"
          confirmLabel={simulation.hasKey ? 'Make a new key' : 'Make a key'}
          run={async () => setKey((await make.mutateAsync({ clientId: id })).key)}
        >
          {simulation.hasKey
            ? 'The key that this client has stops working at once.'
            : 'Whoever has the key can arm failures for this client, and nothing else.'}
        </ConfirmButton>
      }
    >
      <Text size="sm">
        {simulation.hasKey ? 'This client has a key.' : 'This client has no key yet.'}{' '}
        <Anchor href={`${DOCS}/failures`} inherit underline="always">
          The documentation
        </Anchor>{' '}
        has the calls, and what your application does about each failure.
      </Text>
      {key !== undefined && (
        <ShownOnce
          title={`Sandbox key of ${name}`}
          secret={key}
          label="Sandbox key"
          advice="Store it where your tests read secrets. It arms failures for this client, until a new key is made."
          onClose={() => setKey(undefined)}
        />
      )}
    </Section>
  );
}
