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
export function describeClaim(name: string, value: unknown): string {
  const text = Object.hasOwn(TEXTS, name) ? TEXTS[name] : '';
  if (!TIMES.has(name) || typeof value !== 'number') return text ?? '';
  return `${text} Here: ${new Date(value * 1_000).toISOString().replace('T', ' ').slice(0, 19)} UTC.`;
}
