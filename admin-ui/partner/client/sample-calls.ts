import type { Addresses } from '../data/addresses.ts';

interface Sampled {
  id: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  /** Seconds. */
  refreshRetryWindow: number;
}

/** From sign-in to the first call, as commands for a shell. What changes each time is a variable. */
export function sampleCalls({ issuer, apiUrl }: Addresses, { id, redirectUris, scopes }: Sampled) {
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
export function settingsOf({ issuer, apiUrl }: Addresses, client: Sampled): string {
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
