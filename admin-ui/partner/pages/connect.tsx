import { List, SimpleGrid, Text } from '@mantine/core';
import { findIn } from '../../kit/parts/instead.tsx';
import { OutsideLink, Page, Section, TextLink } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, Moment, StateMark } from '../../kit/parts/values.tsx';
import { DOCS } from '../address.ts';
import { useAddresses } from '../data/addresses.ts';

/** Where the service is, and how to start calling it. */
export function ConnectPage() {
  const { found, instead } = findIn(useAddresses(), 'addresses', (data) => data);
  if (!found) return instead;
  const { addresses, signingKeys } = found;
  return (
    <Page
      title="How to call"
      description="The addresses of the service, for both modes. The client_id decides which mode a call is in."
    >
      <Section title="Addresses">
        <Facts
          of={{
            'Issuer (OpenID Connect)': <CopyText text={addresses.issuer} label="issuer" />,
            'Discovery document': <CopyText text={addresses.discoveryUrl} label="discovery address" />,
            'Fan API': <CopyText text={addresses.apiUrl} label="address of the Fan API" />,
            'OpenAPI description': <CopyText text={addresses.openapiUrl} label="address of the OpenAPI description" />,
            'Solana RPC of the test network':
              addresses.sandboxRpcUrl === null ? undefined : (
                <CopyText text={addresses.sandboxRpcUrl} label="RPC address" />
              ),
          }}
        />
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section title="Start">
          <List type="ordered" size="sm" spacing={10}>
            <List.Item>
              <TextLink href="/clients">Choose a sandbox client</TextLink>, or register one.
            </List.Item>
            <List.Item>Create a starter kit on its page: a test user with tickets, and the settings to copy.</List.Item>
            <List.Item>
              Sign the test user in, and call <code className="breakable">GET {addresses.apiUrl}/tickets</code>.
            </List.Item>
            <List.Item>
              When a call is refused, <TextLink href="/requests">look it up</TextLink> by its X-Request-Id.
            </List.Item>
          </List>
          <Text size="sm">
            <OutsideLink href={DOCS}>The documentation</OutsideLink> has guides, the API reference and every error.
          </Text>
        </Section>
        <Section
          title="Signing keys"
          description="Verify tokens with the key that their kid names. Libraries read the keys automatically."
        >
          <CopyText text={addresses.jwksUrl} label="address of the keys" />
          <Rows
            caption="Signing keys"
            rows={signingKeys.map((key) => ({ id: key.kid, ...key }))}
            columns={{
              kid: ({ kid }) => (
                <Text span size="xs" ff="monospace" className="breakable">
                  {kid}
                </Text>
              ),
              State: ({ isCurrent }) => (
                <StateMark tone={isCurrent ? 'good' : 'quiet'}>{isCurrent ? 'Signs now' : 'Published'}</StateMark>
              ),
              Published: ({ publishedAt }) => <Moment at={publishedAt} />,
            }}
          />
        </Section>
      </SimpleGrid>
    </Page>
  );
}
