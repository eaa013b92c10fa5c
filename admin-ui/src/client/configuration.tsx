import { Code, Stack } from '@mantine/core';
import { useState } from 'react';
import { useDisabledReason } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Facts } from '../parts/facts.tsx';
import { Section } from '../parts/section.tsx';
import { Origins } from '../registration/origins.tsx';
import { useScopes } from '../registration/use-scopes.ts';
import type { ClientData } from './document.ts';
import { EditForm } from './edit-form.tsx';
import { LogoField } from './logo-field.tsx';

/** A client's registration and logo, to read and to edit. */
export function ClientConfiguration({ client }: { client: ClientData }) {
  const [editing, setEditing] = useState(false);
  const disabledReason = useDisabledReason('clients:write');
  const scopes = useScopes().data?.scopes;
  if (editing) return <EditForm client={client} onDone={() => setEditing(false)} />;
  return (
    <Stack gap="md">
      <Section
        title="Registration"
        description="What the service compares every sign-in with."
        actions={
          <ActionButton size="xs" disabledReason={disabledReason} onClick={() => setEditing(true)}>
            Edit
          </ActionButton>
        }
      >
        <Facts
          of={[
            ['Name', client.name],
            ['Redirect URIs', <Codes key="uris" of={client.redirectUris} />],
            ['Origins that may call (CORS)', <Origins key="origins" origins={client.corsOrigins} />],
            ['Any port on loopback', client.loopbackAnyPort ? 'On' : 'Off'],
            ['Refresh retry window', client.refreshRetryWindow === 0 ? 'Off' : `${client.refreshRetryWindow} s`],
          ]}
        />
        <Stack gap={4}>
          <span className="fact-name">Scopes</span>
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

function Codes({ of }: { of: readonly string[] }) {
  return (
    <ul className="plain-list">
      {of.map((line) => (
        <li key={line}>
          <Code className="breakable">{line}</Code>
        </li>
      ))}
    </ul>
  );
}
