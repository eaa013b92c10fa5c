import { randomBytes } from 'node:crypto';
import type { GrantMode } from '../../entities/consent-grant.ts';
import type { WithKeys } from '../../keys/key-ring.ts';
import { signJwt } from '../../keys/sign-jwt.ts';
import { grantRevoked, requireLiveGrant } from '../../oauth/grant/live-grant.ts';
import { noSuchGrant } from '../../oauth/grant/own-grants.ts';
import { epochSeconds } from '../../oauth/token/issue-tokens.ts';
import type { AccessTokenPayload } from '../../oauth/token/verify-access-token.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, idOf, isId, uuidOf } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { grantedTickets } from './granted-tickets.ts';
import { readReceipt } from './statements.ts';
import type { TicketOption } from './ticket-option.ts';

/**
 * A signed consent receipt: what a fan has granted a partner at `iat`, to show to a third party. It is not a token (its `typ`
 * differs) and never expires.
 */
export interface ReceiptPayload {
  iss: string;
  /** The client, as in `client_id`. */
  aud: string;
  /** The fan. */
  sub: string;
  iat: number;
  jti: string;
  grant_id: Id<'grant'>;
  client_id: Id<'client'>;
  client_name: string;
  mode: Mode;
  /** Requested by the partner, space-delimited. */
  scope: string;
  /** Granted now: the fan may have turned actions off. */
  granted_actions: string[];
  grant_mode: GrantMode;
  /** Only of a `selected` grant. */
  ticket_ids?: Id<'tkt'>[];
  /** Seconds since the epoch. */
  granted_at: number;
}

/** `typ` in the header of a receipt. */
export const RECEIPT_TYPE = 'consent-receipt+jwt';

/** A receipt with what a person needs to read it. */
export interface OwnReceipt {
  /** A compact JWS of the payload. */
  statement: string;
  payload: ReceiptPayload;
  partnerName: string;
  /** The tickets of a `selected` grant for future events. */
  tickets: TicketOption[];
}

type Receipt = Awaited<ReturnType<typeof readReceipt>>[number];
type ReceiptContext = Pick<Context, 'pool' | 'config' | 'now'> & WithKeys;

/**
 * The receipt for the fan, of a grant that has not ended. It shows what is granted, even while staff have stopped the client.
 * @throws DomainError `not_found` where the fan has no such grant
 */
export async function signOwnReceipt(context: ReceiptContext, fanId: Id<'usr'>, grantId: string): Promise<OwnReceipt> {
  if (!isId('grant', grantId)) throw noSuchGrant();
  const [grant] = await readReceipt(context.pool, [uuidOf('grant', grantId)]);
  if (!grant || grant.revoked || grant.fan_id !== uuidOf('usr', fanId)) throw noSuchGrant();
  const payload = payloadOf(context, grantId, grant);
  return {
    statement: await sign(context, payload),
    payload,
    partnerName: grant.partner_name,
    tickets: [...(await grantedTickets(context, fanId, grant.ticket_ids)).values()],
  };
}

/**
 * The receipt for a partner, of a live grant. The partner's verified access token must belong to that grant.
 * @returns a compact JWS of a `ReceiptPayload`
 * @throws DomainError `grant_revoked`, or `not_found` for another grant
 * @see RFC 7515 §3.1
 */
export async function readOwnReceipt(
  context: ReceiptContext,
  token: AccessTokenPayload,
  grantId: string,
): Promise<string> {
  if (token.grant_id === grantId && isId('grant', grantId)) {
    const [grant] = await readReceipt(context.pool, [uuidOf('grant', grantId)]);
    if (!grant?.live) throw grantRevoked();
    return sign(context, payloadOf(context, grantId, grant));
  }
  // a token whose own grant has ended is refused for that first
  await requireLiveGrant(context, token);
  throw new DomainError('not_found', 'This access token belongs to another grant.');
}

function payloadOf({ config, now }: ReceiptContext, grantId: Id<'grant'>, grant: Receipt): ReceiptPayload {
  const clientId = idOf('client', grant.client_id);
  return {
    iss: config.authUrl,
    aud: clientId,
    sub: idOf('usr', grant.fan_id),
    iat: epochSeconds(now()),
    jti: randomBytes(16).toString('base64url'),
    grant_id: grantId,
    client_id: clientId,
    client_name: grant.client_name,
    mode: grant.mode,
    scope: grant.scope,
    granted_actions: grant.actions,
    grant_mode: grant.grant_mode,
    ...(grant.grant_mode === 'selected' && { ticket_ids: grant.ticket_ids.map((id) => idOf('tkt', id)) }),
    granted_at: grant.granted_at,
  };
}

function sign(context: ReceiptContext, payload: ReceiptPayload): Promise<string> {
  return signJwt(context, RECEIPT_TYPE, { ...payload });
}
