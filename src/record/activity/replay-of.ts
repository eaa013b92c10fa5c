import type { Config } from '../../platform/config/config.ts';
import type { Operation } from './operation-texts.ts';

/** A command that makes a call of the same kind. */
export interface Replay {
  method: string;
  url: string;
  /** For a POSIX shell. */
  curl: string;
  /** Names of the shell variables that the command needs. */
  variables: string[];
}

type Addresses = Pick<Config, 'authUrl' | 'apiUrl'>;

interface Call {
  method?: 'GET' | 'POST';
  url: string;
  bearer?: true;
  /** Fields of a form; `$NAME` is a variable. */
  form?: Record<string, string>;
  json?: string;
}

const LISTING = '{"type":"list","transactions":["$TRANSACTION"]}';
const CLAIM = '{"tickets":[{"tx":"$TRANSACTION"}]}';

/** The log keeps no query, body or secret, so these are variables here. */
const CALLS: { [Name in Operation]?: (addresses: Addresses, clientId: string) => Call } = {
  'token.exchange': ({ authUrl }, client_id) => ({
    url: `${authUrl}/oauth2/token`,
    form: {
      grant_type: 'authorization_code',
      client_id,
      code: '$CODE',
      redirect_uri: '$REDIRECT_URI',
      code_verifier: '$CODE_VERIFIER',
    },
  }),
  'token.refresh': ({ authUrl }, client_id) => ({
    url: `${authUrl}/oauth2/token`,
    form: { grant_type: 'refresh_token', client_id, refresh_token: '$REFRESH_TOKEN' },
  }),
  'token.revoke': ({ authUrl }, client_id) => ({
    url: `${authUrl}/oauth2/revoke`,
    form: { client_id, token: '$REFRESH_TOKEN' },
  }),
  'userinfo.read': ({ authUrl }) => ({ url: `${authUrl}/oauth2/userinfo`, bearer: true }),
  'receipts.read': ({ authUrl }) => ({ url: `${authUrl}/oauth2/grants/$GRANT_ID/receipt`, bearer: true }),
  'tickets.list': ({ apiUrl }) => ({ url: `${apiUrl}/tickets`, bearer: true }),
  'listings.sign': ({ apiUrl }) => ({ method: 'POST', url: `${apiUrl}/authorizations`, bearer: true, json: LISTING }),
  'claims.execute': ({ apiUrl }) => ({ method: 'POST', url: `${apiUrl}/claims/execute`, bearer: true, json: CLAIM }),
};

/** @returns undefined for operations that only browsers call */
export function replayOf(
  addresses: Addresses,
  { operation, clientId }: { operation: string; clientId: string | null },
): Replay | undefined {
  const callOf = Object.hasOwn(CALLS, operation) ? CALLS[operation as Operation] : undefined;
  if (callOf === undefined) return undefined;
  const call = callOf(addresses, clientId ?? '$CLIENT_ID');
  const method = call.method ?? (call.form ? 'POST' : 'GET');
  const parts = [
    `curl -i ${method === 'GET' || call.form || call.json ? '' : `-X ${method} `}"${call.url}"`,
    ...(call.bearer ? ['-H "Authorization: Bearer $ACCESS_TOKEN"'] : []),
    ...Object.entries(call.form ?? {}).map(([name, value]) => `--data-urlencode "${name}=${value}"`),
    ...(call.json ? [`--json "${call.json.replaceAll('"', '\\"')}"`] : []),
  ];
  const curl = parts.join(' \\\n  ');
  return {
    method,
    url: call.url,
    curl,
    variables: [...new Set([...curl.matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => name))],
  };
}
