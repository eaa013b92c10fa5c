import { CubeIcon } from '@heroicons/react/24/outline';
import { List, SegmentedControl } from '@mantine/core';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { failureOf } from '../data/call.ts';
import { graphql } from '../data/graphql.ts';
import { REFUSAL, useChange } from '../data/view.ts';
import { ActionButton } from '../parts/dialog.tsx';
import { notify } from '../parts/notify.tsx';
import { Section, TextLink } from '../parts/page.tsx';
import { CodeBlock } from '../parts/values.tsx';

/** `StarterKit.configuration`: what a developer's app needs. */
export interface KitConfiguration {
  client_id: string;
  redirect_uris: string[];
  scopes: string[];
  refresh_retry_window: number;
  test_users: { phone: string; code: string; wallet_address: string }[];
  auth_url: string;
  api_url: string;
  login_url: string;
  rpc_url: string | null;
}

/** A starter kit's configuration, to copy. */
export function ConfigurationToCopy({ configuration }: { configuration: KitConfiguration }) {
  const [form, setForm] = useState('.env');
  return (
    <Section
      title="Configuration"
      description="Nothing here is secret: the client is public and the phone number is fictional."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Format of the configuration"
          data={['.env', 'JSON']}
          value={form}
          onChange={setForm}
        />
      }
    >
      <CodeBlock
        label={`Configuration as ${form}`}
        text={form === 'JSON' ? JSON.stringify(configuration, null, 2) : asEnvironment(configuration)}
      />
    </Section>
  );
}

/** As lines of a `.env` file; values with a space are quoted. */
function asEnvironment(configuration: KitConfiguration): string {
  const { client_id, redirect_uris, scopes, auth_url, api_url, rpc_url, test_users, refresh_retry_window } =
    configuration;
  const [user] = test_users;
  const values: [string, string | null | undefined][] = [
    ['FAN_CLIENT_ID', client_id],
    ['FAN_ISSUER', auth_url],
    ['FAN_API_URL', api_url],
    ['FAN_REDIRECT_URI', redirect_uris[0]],
    ['FAN_SCOPES', scopes.join(' ')],
    ['FAN_REFRESH_RETRY_WINDOW', String(refresh_retry_window)],
    ['FAN_MODE', 'sandbox'],
    ['FAN_TEST_PHONE', user?.phone],
    ['FAN_TEST_CODE', user?.code],
    ['FAN_TEST_WALLET', user?.wallet_address],
    ['SOLANA_RPC_URL', rpc_url],
  ];
  return values
    .flatMap(([name, value]) => (value ? [`${name}=${/\s/.test(value) ? `"${value}"` : value}`] : []))
    .join('\n');
}

interface KitStepsProps {
  configuration: KitConfiguration;
  /** Where it shows what happened. */
  help: { title: string; href: string };
}

/** From a starter kit to the first call. */
export function KitSteps({ configuration, help }: KitStepsProps) {
  const [user] = configuration.test_users;
  return (
    <Section title="Next steps">
      <List type="ordered" size="sm" spacing={10}>
        <List.Item>
          Put the configuration into the app, with any OpenID Connect library. It finds the rest at{' '}
          <code className="breakable">{configuration.auth_url}/.well-known/openid-configuration</code>. The client has
          no secret: PKCE with S256.
        </List.Item>
        <List.Item>
          Open the app’s sign-in. Enter <code>{user?.phone}</code>, then <code>{user?.code}</code>, and allow the
          request.
        </List.Item>
        <List.Item>
          Exchange the code, and call <code className="breakable">GET {configuration.api_url}/tickets</code> with the
          access token. It lists the 3 tickets.
        </List.Item>
        <List.Item>
          Something doesn’t work? <TextLink href={help.href}>{help.title}</TextLink> shows each step, and why one was
          refused.
        </List.Item>
      </List>
    </Section>
  );
}

const CREATE_STARTER_KIT = graphql(`
  mutation CreateStarterKit($clientId: ID!, $requestKey: String!) {
    createStarterKit(clientId: $clientId, requestKey: $requestKey) { ${REFUSAL} ... on StarterKit { id } }
  }
`);

interface MakeStarterKitProps {
  clientId: string;
  variant?: 'filled' | 'default';
  children?: string;
}

/** Makes a starter kit and opens it. */
export function MakeStarterKit({
  clientId,
  variant = 'filled',
  children = 'Create a starter kit',
}: MakeStarterKitProps) {
  const create = useChange(CREATE_STARTER_KIT);
  const [, navigate] = useLocation();
  // idempotency key: a repeated click after a lost response returns the same kit
  const requestKey = useRef<string>(undefined);
  const make = async () => {
    requestKey.current ??= crypto.randomUUID();
    try {
      const { id } = await create.mutateAsync({ clientId, requestKey: requestKey.current });
      requestKey.current = undefined;
      navigate(`/clients/${clientId}/starter-kit?kit=${id}`);
    } catch (error) {
      notify(`No starter kit was created. ${failureOf(error).message}`);
    }
  };
  return (
    <ActionButton
      variant={variant}
      leftSection={<CubeIcon width={16} />}
      right="sandbox:write"
      loading={create.isPending}
      onClick={() => void make()}
    >
      {children}
    </ActionButton>
  );
}
