import { randomBytes } from 'node:crypto';
import { type CodeFacts, type GoLiveAttempt, GoLiveSecret } from '../../entities/go-live-check.ts';
import { isCodeChallenge } from '../../oauth/pkce.ts';
import { matchesRedirectUri, withParameters } from '../../partners/redirect-uri.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { attemptOf, behaviourOf, type CheckContext, type OpenRun, recordEvent } from './open-run.ts';

/** In characters; the real server has 4 KiB for a state. */
const LONGEST = 4096;

/**
 * Answers an authorize request of a run immediately, without a sign-in: nobody is signed in here.
 * @returns where the browser is sent: a redirect URI that the client has registered, and no other address
 * @throws DomainError `invalid_request` where client or redirect URI are not the run's, or no check is on
 */
export async function answerAuthorize(
  context: CheckContext,
  open: OpenRun,
  parameters: URLSearchParams,
): Promise<string> {
  const { client } = open;
  if (parameters.get('client_id') !== client.id) {
    throw new DomainError('invalid_request', 'This go-live check is for another client_id.');
  }
  const redirectUri = parameters.get('redirect_uri') ?? '';
  if (parameters.getAll('redirect_uri').length !== 1 || !matchesRedirectUri(redirectUri, client)) {
    throw new DomainError(
      'invalid_request',
      'The redirect_uri is not registered for the client of this go-live check.',
    );
  }
  const attempt = await attemptOf(context, open);
  if (!attempt) throw new DomainError('invalid_request', 'No check is on. Start one in the partner workspace first.');
  const state = parameters.get('state') ?? '';
  const fault = faultOf(parameters, client.scopes);
  if (fault !== undefined) {
    await recordEvent(context, attempt, { kind: 'authorize_refused', facts: { message: fault } });
    return withParameters(redirectUri, { error: 'invalid_request', error_description: fault, state, iss: open.issuer });
  }
  const facts: CodeFacts = {
    redirectUri,
    codeChallenge: parameters.get('code_challenge') ?? '',
    scope: parameters.get('scope') ?? '',
    nonce: parameters.get('nonce') || null,
  };
  await recordEvent(context, attempt, { kind: 'authorize', facts: { nonce: facts.nonce !== null } });
  return callback(open, attempt, { redirectUri, state, code: await newCode(context, attempt, facts) });
}

/** What is wrong with a request; undefined for a sound one. @see spec §5.4 */
function faultOf(parameters: URLSearchParams, allowed: readonly string[]): string | undefined {
  for (const name of new Set(parameters.keys())) {
    if (parameters.getAll(name).length > 1) return `${name.slice(0, 80)} must not be given more than once`;
    if ((parameters.get(name) ?? '').length > LONGEST) return `${name.slice(0, 80)} is too long`;
    if (parameters.get(name)?.includes('\0')) return `${name.slice(0, 80)} must have no NUL`;
  }
  if (parameters.get('response_type') !== 'code') return 'response_type must be code';
  const scopes = (parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (scopes.length === 0) return 'scope is required';
  const foreign = scopes.find((scope) => !allowed.includes(scope));
  if (foreign !== undefined) return `the client may not ask for the scope ${foreign.slice(0, 80)}`;
  if (!parameters.get('state')) return 'state is required';
  if (parameters.get('code_challenge_method') !== 'S256') return 'code_challenge_method must be S256';
  if (!isCodeChallenge(parameters.get('code_challenge') ?? ''))
    return 'code_challenge must be the base64url of a SHA-256';
  return undefined;
}

/** Makes a code, which is already spent where the check is about replayed codes. */
async function newCode({ em, now }: CheckContext, attempt: GoLiveAttempt, facts: CodeFacts): Promise<string> {
  const code = `check_ac_${randomBytes(32).toString('base64url')}`;
  const spent = behaviourOf(attempt).callback === 'spent_code';
  const row = { hash: hashOf(code), kind: 'code', generation: 0, facts, createdAt: now() } as const;
  await em.insert(GoLiveSecret, { ...row, attempt: attempt.id, usedAt: spent ? now() : null });
  return code;
}

function callback(
  { issuer }: OpenRun,
  attempt: GoLiveAttempt,
  { redirectUri, state, code }: { redirectUri: string; state: string; code: string },
): string {
  const kind = behaviourOf(attempt).callback;
  return withParameters(redirectUri, {
    code,
    state: kind === 'wrong_state' ? randomBytes(16).toString('base64url') : state,
    // an address below our own, so that a client that believes it calls nobody else
    iss: kind === 'wrong_issuer' ? `${issuer}/another-issuer` : issuer,
  });
}
