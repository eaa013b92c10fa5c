import { Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../parts/action-button.tsx';
import { Facts } from '../parts/facts.tsx';
import { Section } from '../parts/section.tsx';
import { CodeList, Origins } from '../registration/code-list.tsx';
import { useScopes } from '../registration/scopes-field.tsx';
import type { ClientData } from './document.ts';
import { EditForm } from './edit-form.tsx';
import { LogoField } from './logo-field.tsx';

/** A client's registration and logo, to read and to edit. */
export function ClientConfiguration({ client }: { client: ClientData }) {
  const [editing, setEditing] = useState(false);
  const scopes = useScopes().data?.scopes;
  if (editing) return <EditForm client={client} onDone={() => setEditing(false)} />;
  return (
    <Stack gap="md">
      <Section
        title="Registration"
        description="What the service compares every sign-in with."
        actions={
          <ActionButton size="xs" right="clients:write" onClick={() => setEditing(true)}>
            Edit
          </ActionButton>
        }
      >
        <Facts
          of={{
            Name: client.name,
            'Redirect URIs': <CodeList of={client.redirectUris} />,
            'Origins that may call (CORS)': <Origins origins={client.corsOrigins} />,
            'Any port on loopback': client.loopbackAnyPort ? 'On' : 'Off',
            'Refresh retry window': client.refreshRetryWindow === 0 ? 'Off' : `${client.refreshRetryWindow} s`,
          }}
        />
        <Stack gap={4}>
          <Text span size="xs" c="dimmed">
            Scopes
          </Text>
          <ul className="plain-list">
            {client.scopes.map((scope) => (
              <li key={scope}>
                <Code>{scope}</Code> <span className="aside">{scopes?.find(({ name }) => name === scope)?.says}</span>
              </li>
            ))}
          </ul>
        </Stack>
      </Section>
      <LogoField client={client} />
    </Stack>
  );
}
