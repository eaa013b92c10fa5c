import { createHash } from 'node:crypto';
import { decodeTransactionText } from '@fan-api/cosign-policy/decode-transaction-text';
import { parseTransaction } from '@fan-api/cosign-policy/parse-transaction';
import { refusalOf } from '@fan-api/cosign-policy/rules';
import { type GoLiveAttempt, GoLiveEvent } from '../../entities/go-live-check.ts';
import { ChainError } from '../../platform/chain-error.ts';
import { DomainError, type DomainErrorCode } from '../../platform/errors.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { after } from '../../platform/time.ts';
import type { Behaviour } from './checks.ts';
import {
  behaviourOf,
  CHECK_SUBJECT,
  type CheckContext,
  emptyId,
  grantIdOf,
  type OpenRun,
  recordEvent,
  secretUnder,
} from './open-run.ts';
import { RETRY_AFTER_SECONDS } from './watched.ts';

/** The bearer of a call. A call with an unknown token is not recorded. */
interface Bearer {
  attempt: GoLiveAttempt;
  generation: number;
}

async function bearerOf(context: CheckContext, open: OpenRun, token: string | undefined): Promise<Bearer> {
  if (token === undefined) throw new DomainError('access_token_missing', 'the access token is missing');
  const found = await secretUnder(context, open, hashOf(token));
  if (found?.secret.kind !== 'access') {
    throw new DomainError(
      'access_token_invalid',
      'the access token was not issued in this go-live check, or has ended',
    );
  }
  return { attempt: found.attempt, generation: found.secret.generation };
}

/**
 * Lets a call of the API through, or refuses it as the check requires.
 * @throws DomainError with the codes of the real API
 */
export async function admitCall(
  context: CheckContext,
  open: OpenRun,
  { path, token }: { path: string; token: string | undefined },
): Promise<GoLiveAttempt> {
  const bearer = await bearerOf(context, open, token);
  const refusal = await refusalOfCall(context, bearer, behaviourOf(bearer.attempt).api);
  const facts = { path, generation: bearer.generation, status: refusal === undefined ? 200 : statusOf(refusal) };
  await recordEvent(context, bearer.attempt, { kind: 'api', facts });
  if (refusal) throw refusal;
  return bearer.attempt;
}

function statusOf({ code }: DomainError): number {
  return code === 'rate_limited' ? 429 : 401;
}

async function refusalOfCall(
  context: CheckContext,
  { attempt, generation }: Bearer,
  kind: Behaviour['api'],
): Promise<DomainError | undefined> {
  const refuse = (code: DomainErrorCode, message: string, retryAfter?: number) =>
    new DomainError(code, message, retryAfter === undefined ? {} : { retryAfter });
  switch (kind) {
    case undefined:
      return undefined;
    case 'expired_at_first':
      return generation === 1 ? refuse('access_token_expired', 'the access token has expired') : undefined;
    case 'unauthorized':
      return refuse('access_token_expired', 'the access token has expired');
    case 'revoked':
      return refuse('grant_revoked', 'the grant was revoked');
    case 'rate_limited': {
      const wait = await secondsToWait(context, attempt);
      return wait > 0 ? refuse('rate_limited', `too many calls; try again in ${wait} s`, wait) : undefined;
    }
  }
}

/** From the first call of the attempt on, the API asks for a pause. */
async function secondsToWait({ em, now }: CheckContext, { id: attempt }: GoLiveAttempt): Promise<number> {
  const first = await em.findOne(GoLiveEvent, { attempt, kind: 'api' }, { orderBy: { id: 'asc' } });
  const until = after(first?.at ?? now(), RETRY_AFTER_SECONDS);
  return Math.ceil((until.getTime() - now().getTime()) / 1000);
}

/** Userinfo of the run's fan. @see spec §5.12 */
export async function answerUserinfo(
  context: CheckContext,
  open: OpenRun,
  token: string | undefined,
): Promise<Record<string, unknown>> {
  const { attempt, generation } = await bearerOf(context, open, token);
  await recordEvent(context, attempt, { kind: 'userinfo', facts: { generation } });
  const other = behaviourOf(attempt).userinfo === 'other_subject';
  return {
    sub: other ? emptyId('usr', 1) : CHECK_SUBJECT,
    scope: open.client.scopes.join(' '),
    granted_actions: [],
    grant_id: grantIdOf(attempt),
    iss: open.issuer,
    aud: 'svc-api',
  };
}

/** Tickets of the run's fan: made up. No cluster has them. @see spec §2 */
export function answerTickets(now: Date): Record<string, unknown> {
  return {
    user_id: CHECK_SUBJECT,
    tickets: [
      {
        id: emptyId('tkt'),
        svc_event_id: emptyId('evt'),
        tix_event_id: '1'.repeat(32),
        tix_ticket_id: '1'.repeat(32),
        ticket_type_id: emptyId('typ'),
        event_name: 'Go-live check',
        ticket_type_name: 'Not a real ticket',
        purchase_date: now.toISOString(),
      },
    ],
  };
}

/**
 * Answers a listing with the transactions that were sent, in hex: first as they are, then with a changed message. Signs nothing.
 * @param transactions in hex or base64
 * @throws DomainError `invalid_request` where one is not a transaction; `not_found` where the check refuses the marketplace
 */
export async function answerListing(
  context: CheckContext,
  attempt: GoLiveAttempt,
  transactions: readonly string[],
): Promise<string[]> {
  const before = await context.em.count(GoLiveEvent, { attempt: attempt.id, kind: 'listing' });
  const { listing } = behaviourOf(attempt);
  const tampered = listing === 'tampered_second' && before % 2 === 1;
  const answered = transactions.map((text, index) => listingOf(text, index, tampered));
  const messages = answered.map(({ message }) => message);
  await recordEvent(context, attempt, { kind: 'listing', facts: { messages, tampered } });
  if (listing === 'foreign_marketplace') {
    throw new DomainError('not_found', `transactions[0]: ${refusalOf('foreign_marketplace')}`);
  }
  return answered.map(({ hex }) => hex);
}

function listingOf(text: string, index: number, tampered: boolean): { hex: string; message: string } {
  const bytes = Uint8Array.from(parsed(`transactions[${index}]`, () => decodeTransactionText(text)));
  const { message, instructions, recentBlockhash } = parsed(`transactions[${index}]`, () => parseTransaction(bytes));
  if (tampered) {
    // a view of `bytes`: mostly the price of the listing
    const data = instructions.findLast((instruction) => instruction.data.length > 0)?.data ?? recentBlockhash;
    data[data.length - 1] = (data[data.length - 1] ?? 0) ^ 1;
  }
  return { hex: Buffer.from(bytes).toString('hex'), message: digestOf(message) };
}

/** The digest of a message, by which a transaction that is sent on is recognised whatever its signatures. */
export function digestOf(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('base64url');
}

/** @throws DomainError `invalid_request` for a ChainError of `parse` */
export function parsed<Result>(what: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw new DomainError('invalid_request', `${what}: ${error.message}`, { cause: error });
  }
}
