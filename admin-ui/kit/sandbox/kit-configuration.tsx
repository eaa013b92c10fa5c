import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../parts/copy-text.tsx';
import { Section } from '../parts/section.tsx';

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
