import { Stack, Title } from '@mantine/core';
import { FailureAlert, ViewLoading } from '../../kit/parts/instead.tsx';
import { OutsideLink, Section } from '../../kit/parts/page.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { CodeBlock } from '../../kit/parts/values.tsx';
import { DOCS } from '../address.ts';
import { type Addresses, useAddresses } from '../data/addresses.ts';
import type { ClientData } from './document.ts';

/** How an app uses the client: its settings, and the three calls from sign-in to tickets. */
export function ClientCalls({ client }: { client: ClientData }) {
  const { data, error, refetch } = useAddresses();
  if (error) return <FailureAlert failure={error} title="The addresses could not be loaded" retry={refetch} />;
  if (!data) return <ViewLoading />;
  const { addresses } = data;
  return (
    <Stack gap="md">
      <Section
        title="Settings"
        description="Nothing here is secret: the client is public. Any OpenID Connect library finds the rest by discovery."
      >
        <CodeBlock text={settingsOf(addresses, client)} label="Settings as .env" />
      </Section>
      <Section
        title="First calls"
        description={
          <>
            A library does the first two for you. <OutsideLink href={DOCS}>The documentation</OutsideLink> explains each
            step.
          </>
        }
      >
        {sampleCalls(addresses, client).map(({ title, text, wraps }, index) => (
          <Stack key={title} gap="xs">
            <Title order={3}>
              {index + 1}. {title}
            </Title>
            <CodeBlock text={text} label={title} wraps={wraps} />
          </Stack>
        ))}
        <Quiet>Replace the words that begin with $: they are new for each sign-in.</Quiet>
      </Section>
    </Stack>
  );
}

interface Sampled {
  id: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  /** Seconds. */
  refreshRetryWindow: number;
}

/** From sign-in to the first call, as commands for a shell. What changes each time is a variable. */
function sampleCalls({ issuer, apiUrl }: Addresses, { id, redirectUris, scopes }: Sampled) {
  const [redirectUri = ''] = redirectUris;
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    code_challenge_method: 'S256',
  });
  return [
    {
      title: 'Send the fan’s browser to sign in',
      text: `${issuer}/oauth2/authorize?${query}&code_challenge=$CODE_CHALLENGE&state=$STATE&nonce=$NONCE`,
      wraps: true,
    },
    {
      title: 'Exchange the code for tokens',
      text: [
        `curl -i "${issuer}/oauth2/token"`,
        '--data-urlencode "grant_type=authorization_code"',
        `--data-urlencode "client_id=${id}"`,
        '--data-urlencode "code=$CODE"',
        `--data-urlencode "redirect_uri=${redirectUri}"`,
        '--data-urlencode "code_verifier=$CODE_VERIFIER"',
      ].join(' \\\n  '),
      wraps: false,
    },
    {
      title: 'List the fan’s tickets',
      text: [`curl -i "${apiUrl}/tickets"`, '-H "Authorization: Bearer $ACCESS_TOKEN"'].join(' \\\n  '),
      wraps: false,
    },
  ];
}

/** The settings of an app, as lines of a `.env` file. */
function settingsOf({ issuer, apiUrl }: Addresses, client: Sampled): string {
  const { id, redirectUris, scopes, refreshRetryWindow } = client;
  return [
    `FAN_CLIENT_ID=${id}`,
    `FAN_ISSUER=${issuer}`,
    `FAN_API_URL=${apiUrl}`,
    `FAN_REDIRECT_URI=${redirectUris[0] ?? ''}`,
    `FAN_SCOPES="${scopes.join(' ')}"`,
    `FAN_REFRESH_RETRY_WINDOW=${refreshRetryWindow}`,
  ].join('\n');
}
