/**
 * The statements of sign-ins under way: every call of the hosted login begins with one of them.
 *
 * @module
 */
import { type Prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { OpenSession } from './find-session.ts';

type Client = OpenSession['client'];
type Challenge = NonNullable<OpenSession['challenge']>;

/** A session, its client, and the number that it has under verification, in one row. */
export interface SessionRow<More>
  extends Omit<OpenSession, 'id' | 'fan' | 'client' | 'challenge'>,
    Pick<Client, 'mode' | 'scopes' | 'redirectUris' | 'loopbackAnyPort'>,
    Pick<Challenge, 'reference' | 'resendAt'> {
  id: Uuid;
  fanId: Uuid | null;
  clientId: Uuid;
  clientName: string;
  partnerId: Uuid;
  partnerName: string;
  phone: string | null;
  codeExpiresAt: Date;
  more: More;
}

const COLUMNS = `s.id, s.browser_hash as "browserHash", s.redirect_uri as "redirectUri", s.scope, s.state,
  s.code_challenge as "codeChallenge", s.nonce, s.login_hint as "loginHint", s.ui_locales as "uiLocales", s.step,
  coalesce(h.wrong_tries, 0) as "wrongTries", coalesce(h.tries_under_way, 0) as "triesUnderWay", s.code_hash as "codeHash",
  s.authenticated_at as "authenticatedAt", s.expires_at as "expiresAt", s.fan_id as "fanId", s.client_id as "clientId",
  c.name as "clientName", c.mode, c.scopes, c.redirect_uris as "redirectUris", c.loopback_any_port as "loopbackAnyPort",
  c.partner_id as "partnerId", p.name as "partnerName", h.phone, h.reference, h.resend_at as "resendAt",
  h.expires_at as "codeExpiresAt"`;

/**
 * Prepares the reads of a session: by its `uuid`, and the newest of a browser by its hash (`$1`), at the time `$2`.
 * @param more SQL of one value over `authorization_session s`, `client c`, `phone_challenge h` and `clock.now`
 */
export function readSession<More>(more: string): Record<'byId' | 'newest', Prepared<SessionRow<More>>> {
  const readBy = (condition: string) =>
    preparedWithDates<SessionRow<More>>(`
      select ${COLUMNS}, ${more} as more
      from authorization_session s join client c on c.id = s.client_id join partner p on p.id = c.partner_id
        left join phone_challenge h on h.purpose = 'login' and h.owner = s.id::text
        cross join (select $2::timestamptz as now) clock
      where ${condition}`);
  return {
    byId: readBy('s.id = $1'),
    newest: readBy('s.browser_hash = $1 order by s.created_at desc limit 1'),
  };
}
