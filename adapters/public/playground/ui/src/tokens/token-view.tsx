import type { JSONWebKeySet } from 'jose';
import { useEffect, useState } from 'preact/hooks';
import { jsonOf } from '../calls/call.ts';
import { send } from '../calls/send.ts';
import type { PlaygroundConfig } from '../config.ts';
import { metadataOf } from '../partner.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { CheckList, Sheet } from '../parts/facts.tsx';
import { Member, Table } from '../parts/table.tsx';
import type { Check } from '../sign-in/check-callback.ts';
import { decodeToken } from './decode-token.ts';
import { type Expectation, verifyToken } from './verify-token.ts';

type Props = { title: string; token: string; config: PlaygroundConfig; expected: Expectation };

/** A signed token: how its checks went, its header, and its claims with what they mean. */
export function TokenView({ title, token, config, expected }: Props) {
  const [checks, setChecks] = useState<Check[]>();
  const [problem, setProblem] = useState<string>();
  const wanted = JSON.stringify(expected);
  useEffect(() => {
    let isCurrent = true;
    publishedKeys(config, token)
      .then((keys) => verifyToken(token, keys, JSON.parse(wanted) as Expectation))
      .then(
        (found) => isCurrent && setChecks(found),
        (error: unknown) => isCurrent && setProblem(String(error)),
      );
    return () => {
      isCurrent = false;
    };
  }, [config, token, wanted]);

  const decoded = decodeToken(token);
  return (
    <Sheet title={title}>
      {problem === undefined ? null : <p class="failure">It could not be verified. {problem}</p>}
      {checks === undefined ? null : <CheckList label={`Checks of ${title}`} checks={checks} />}
      {decoded === undefined ? null : (
        <>
          <Members title={title} label="Header" members={decoded.header as Record<string, unknown>} />
          <Members title={title} label="Claims" members={decoded.payload} />
        </>
      )}
      <div class="controls">
        <CopyButton label="Copy the token" name={`Copy the token: ${title}`} text={() => token} />
      </div>
    </Sheet>
  );
}

function Members({ title, label, members }: { title: string; label: string; members: Record<string, unknown> }) {
  return (
    <Table label={`${label}: ${title}`} caption={label} columns={['Name', 'Value', 'Meaning']} class="members">
      {Object.entries(members).map(([name, value]) => (
        <Member
          key={name}
          name={name}
          value={typeof value === 'string' ? value : JSON.stringify(value)}
          note={describeClaim(name, value)}
        />
      ))}
    </Table>
  );
}

let known: Promise<JSONWebKeySet> | undefined;

/** The issuer's keys: read once, and once more for a token of a key that is not among them. */
async function publishedKeys(config: PlaygroundConfig, token: string): Promise<JSONWebKeySet> {
  const kid = decodeToken(token)?.header.kid;
  known ??= readKeys(config);
  const keys = await known.catch(() => undefined);
  if (keys?.keys.some((key) => key.kid === kid)) return keys;
  known = readKeys(config);
  return known;
}

async function readKeys(config: PlaygroundConfig): Promise<JSONWebKeySet> {
  const { jwks_uri } = await metadataOf(config);
  const { answer } = await send('Published keys', { method: 'GET', url: jwks_uri, headers: {} });
  if (answer.status !== 200) throw new Error(`${jwks_uri} answered ${answer.status}.`);
  return jsonOf(answer) as unknown as JSONWebKeySet;
}

/** What the members of headers and claims mean. */
const TEXTS: Readonly<Record<string, string>> = {
  alg: 'Algorithm of the signature.',
  kid: 'Which key of the JWKS signed it.',
  typ: 'Kind of token, so that one kind can not be used as another.',
  iss: 'Who issued it: this authorization server.',
  sub: 'The fan. The same in every token, and for every partner.',
  aud: 'Who it is for. An access token is for the Fan API, an ID token for your client.',
  azp: 'The client that it was issued to.',
  client_id: 'The client that it was issued to.',
  client_name: 'Name of the client, as the fan saw it.',
  scope: 'What you asked for and your client may ask for.',
  granted_actions: 'What the fan allowed. The Fan API decides by this.',
  grant_id: 'The consent that it comes from. It stays the same through refreshes.',
  grant_mode: 'All current and future tickets, or selected ones.',
  ticket_ids: 'The selected tickets; absent for all.',
  granted_at: 'When the fan consented, in seconds since 1970.',
  mode: 'sandbox or production.',
  jti: 'Identifier of this token.',
  iat: 'When it was issued, in seconds since 1970.',
  exp: 'When it expires, in seconds since 1970.',
  auth_time: 'When the fan proved who they are, in seconds since 1970.',
  amr: 'How the fan proved it: sms for a code, hwk or swk with user for a passkey.',
  nonce: 'The nonce of the authorize request.',
  at_hash: 'Half of the hash of the access token that came with it.',
  sid: 'The sign-in that it belongs to.',
};

const TIMES = new Set(['iat', 'exp', 'auth_time', 'granted_at', 'nbf']);

/** A sentence about a member, with the time in words where it is one. */
function describeClaim(name: string, value: unknown): string {
  const text = Object.hasOwn(TEXTS, name) ? TEXTS[name] : '';
  if (!TIMES.has(name) || typeof value !== 'number') return text ?? '';
  return `${text} Here: ${new Date(value * 1_000).toISOString().replace('T', ' ').slice(0, 19)} UTC.`;
}
