import { List, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { CodeBlock, Copyable } from '../../../console-kit/parts/copy-text.tsx';
import { Facts } from '../../../console-kit/parts/facts.tsx';
import { inZone } from '../../../console-kit/parts/moment.tsx';
import { Section } from '../../../console-kit/parts/section.tsx';
import { ViewLink } from '../../../console-kit/parts/view-link.tsx';
import { graphql } from '../data/graphql.ts';
import { storyOf } from '../places.ts';

export const STARTER_KITS = graphql(`
  query StarterKits($clientId: ID!) {
    client(id: $clientId) { id name mode partner { id name } }
    starterKits(clientId: $clientId) {
      id createdAt configuration
      event { id name startsAt timeZone ticketTypes { id name } }
      testUser { id phone code fan { walletAddress } }
    }
  }
`);

export type Kit = ResultOf<typeof STARTER_KITS>['starterKits'][number];

/** `StarterKit.configuration`: what a developer's app needs. */
interface KitConfiguration {
  client_id: string;
  redirect_uris: string[];
  scopes: string[];
  test_users: { phone: string; code: string; wallet_address: string }[];
  auth_url: string;
  api_url: string;
  login_url: string;
  rpc_url: string | null;
}

/** A starter kit: what to copy, what is in it, and how to go on. */
export function KitView({ kit }: { kit: Kit }) {
  const configuration = kit.configuration as KitConfiguration;
  return (
    <Stack gap="md">
      <Configuration configuration={configuration} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Contents kit={kit} />
        <NextSteps kit={kit} configuration={configuration} />
      </SimpleGrid>
    </Stack>
  );
}

function Configuration({ configuration }: { configuration: KitConfiguration }) {
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

function Contents({ kit: { testUser, event } }: { kit: Kit }) {
  return (
    <Section title="In the kit">
      <Facts
        of={{
          'Test user': <Copyable text={testUser.phone} label="phone" />,
          'Code (instead of an SMS)': <Copyable text={testUser.code} label="code" />,
          Event: `${event.name}, ${inZone(event.startsAt, event.timeZone)}`,
          'Tickets, one permit each': (
            <ViewLink href={`/permits?fan=${testUser.id}`}>
              {event.ticketTypes.map(({ name }) => name).join(', ')}
            </ViewLink>
          ),
          Fan: <ViewLink href={`/fans/${testUser.id}`}>the test user’s page</ViewLink>,
        }}
      />
    </Section>
  );
}

function NextSteps({ kit: { testUser }, configuration }: { kit: Kit; configuration: KitConfiguration }) {
  return (
    <Section title="Next steps">
      <List type="ordered" size="sm" spacing={10}>
        <List.Item>
          Put the configuration into the app, with any OpenID Connect library. It finds the rest at{' '}
          <code className="breakable">{configuration.auth_url}/.well-known/openid-configuration</code>. The client has
          no secret: PKCE with S256.
        </List.Item>
        <List.Item>
          Open the app’s sign-in. Enter <code>{testUser.phone}</code>, then <code>{testUser.code}</code>, and allow the
          request.
        </List.Item>
        <List.Item>
          Exchange the code, and call <code className="breakable">GET {configuration.api_url}/tickets</code> with the
          access token. It lists the 3 tickets.
        </List.Item>
        <List.Item>
          Something doesn’t work?{' '}
          <ViewLink href={storyOf(configuration.client_id)} underline="always">
            The client’s timeline
          </ViewLink>{' '}
          shows each step, and why one was refused.
        </List.Item>
      </List>
    </Section>
  );
}

/** As lines of a `.env` file; values with a space are quoted. */
function asEnvironment(configuration: KitConfiguration): string {
  const { client_id, redirect_uris, scopes, auth_url, api_url, rpc_url, test_users } = configuration;
  const [user] = test_users;
  const values: [string, string | null | undefined][] = [
    ['FAN_CLIENT_ID', client_id],
    ['FAN_ISSUER', auth_url],
    ['FAN_API_URL', api_url],
    ['FAN_REDIRECT_URI', redirect_uris[0]],
    ['FAN_SCOPES', scopes.join(' ')],
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
