/**
 * What is kept about a fan, table by table, declared once: what a copy has of it (`copy-data.ts`), and what becomes of it when the fan
 * leaves (`delete-fan.ts`). A test walks the database and fails for a column that refers to a fan and is not named here.
 *
 * @module
 */
import type { IdPrefix } from '../../platform/identifier/type-id.ts';
import { isSaleOf } from '../../tickets/listing/sales.ts';

/** Why a table is left out. */
export interface Left {
  because: string;
}

export interface FanTable {
  /** Its columns that refer to a fan: directly, by a grant, by number, by wallet or by identifier. */
  refers: readonly string[];
  copied: Copied | Left;
  /** SQL over `GIVEN`, which may run again. */
  deleted: string | Left;
}

/** A part of the copy. */
export interface Copied {
  /** Its name. */
  as: string;
  /** Over `GIVEN`. */
  sql: string;
  /** The columns with a `uuid`, or an array of them, that people know as identifiers. */
  ids: Readonly<Record<string, IdPrefix>> | undefined;
}

/** SQL that stands before each: the fan's `uuid`, now, and the identifiers of the fan and of the fan's grants and passkeys. */
export const GIVEN = 'with given as (select $1::uuid as fan, $2::timestamptz as at, $3::text[] as names)';
const FAN = '(select fan from given)';
const NAMES = '((select names from given)::text[])';
const GRANTS = `(select id from consent_grant where fan_id = ${FAN})`;
const OF_PERMIT = `join permit p on p.id = x.permit_id join ticket t on t.id = p.ticket_id
  join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id`;
const TICKET = 't.id as ticket, e.name as event, tt.name as ticket_type';
const OF_APP = 'join consent_grant g on g.id = x.grant_id join client c on c.id = g.client_id';
/** SQL: whether a number under verification, alias `x`, is of a visit or a sign-in of the fan. */
const OF_VISITS = `(x.owner in (select secret_hash from portal_session where fan_id = ${FAN})
  or x.purpose = 'login' and x.owner in (select id::text from authorization_session where fan_id = ${FAN}))`;
const NUMBER = `(select mode, phone from fan where id = ${FAN})`;

const copy = (as: string, sql: string, ids?: Copied['ids']): Copied => ({ as, sql, ids });

const SANDBOX: Left = { because: 'of test users alone, who are nobody' };
const BOOKS: Left = {
  because: 'the books and the chain refer to it; it names the account, whose row says nothing any more',
};
const FADES: Left = { because: 'identifiers alone, and deleted soon' };

/** In the order in which a fan's data is deleted: sign-ins before grants, so that none begins meanwhile; the fan last. */
export const FAN_TABLES: Readonly<Record<string, FanTable>> = {
  phone_challenge: {
    refers: ['phone', 'asked_phone'],
    copied: copy(
      'codes',
      `select x.purpose, x.step, x.phone, x.codes_sent, x.wrong_tries, x.expires_at
        from phone_challenge x where ${OF_VISITS} order by x.expires_at`,
    ),
    deleted: `delete from phone_challenge x where ${OF_VISITS}`,
  },
  phone_tries: {
    refers: ['phone'],
    copied: copy(
      'wrong_codes',
      `select x.phone, x.tries, x.window_ends_at as until from phone_tries x where (x.mode, x.phone) in ${NUMBER}`,
    ),
    deleted: `delete from phone_tries x where (x.mode, x.phone) in ${NUMBER}`,
  },
  inbox_message: {
    refers: ['phone'],
    copied: { because: 'the inbox of development, which production does not have' },
    deleted: `delete from inbox_message x where x.phone in (select phone from fan where id = ${FAN})`,
  },
  authorization_session: {
    refers: ['fan_id'],
    copied: copy(
      'sign_ins',
      `select x.id, c.name as app, x.step, x.amr as method, x.login_hint, x.created_at as began_at,
          x.authenticated_at, x.expires_at
        from authorization_session x join client c on c.id = x.client_id where x.fan_id = ${FAN} order by x.created_at`,
      { id: 'sess' },
    ),
    deleted: `delete from authorization_session where fan_id = ${FAN}`,
  },
  portal_session: {
    refers: ['fan_id'],
    copied: copy(
      'visits',
      `select authenticated_at, created_at as began_at, expires_at
        from portal_session where fan_id = ${FAN} order by created_at`,
    ),
    deleted: `delete from portal_session where fan_id = ${FAN}`,
  },
  passkey: {
    refers: ['fan_id'],
    copied: copy(
      'passkeys',
      `select id, name, rp_id as site, created_at as added_at, last_used_at
        from passkey where fan_id = ${FAN} order by created_at`,
      { id: 'pky' },
    ),
    deleted: `delete from passkey where fan_id = ${FAN}`,
  },
  former_number: {
    refers: ['fan_id', 'phone'],
    copied: copy(
      'former_numbers',
      `select phone, given_up_at, reason from former_number where fan_id = ${FAN} order by given_up_at`,
    ),
    deleted: `delete from former_number where fan_id = ${FAN}`,
  },
  support_code: {
    refers: ['fan_id'],
    copied: copy('support_codes', `select code, proved_at, expires_at from support_code where fan_id = ${FAN}`),
    deleted: `delete from support_code where fan_id = ${FAN}`,
  },
  consent_grant: {
    refers: ['fan_id'],
    copied: copy(
      'grants',
      `select x.id, c.name as app, c.id as client, p.name as company, x.scope, x.actions, x.consented_actions,
          x.mode, x.ticket_ids as tickets, x.amr as method, x.created_at as given_at, x.ends_after,
          x.revoked_at as ended_at, x.revoked_reason as ended_by
        from consent_grant x join client c on c.id = x.client_id join partner p on p.id = c.partner_id
        where x.fan_id = ${FAN} order by x.created_at`,
      { id: 'grant', client: 'client', tickets: 'tkt' },
    ),
    // `delete-fan.ts` ends them, each with its audit entry
    deleted: BOOKS,
  },
  authorization_code: {
    refers: ['grant_id'],
    copied: copy(
      'authorization_codes',
      `select c.name as app, x.authenticated_at, x.expires_at, x.used_at
        from authorization_code x ${OF_APP} where g.fan_id = ${FAN} order by x.expires_at`,
    ),
    deleted: FADES,
  },
  refresh_token_family: {
    refers: ['grant_id'],
    copied: copy(
      'refresh_tokens',
      `select c.name as app, x.authenticated_at, x.rotated_at as renewed_at, x.expires_at,
          x.revoked_at as ended_at
        from refresh_token_family x ${OF_APP} where g.fan_id = ${FAN} order by x.authenticated_at`,
    ),
    deleted: FADES,
  },
  ended_access: {
    refers: ['grant_id', 'fan_id'],
    copied: { because: 'work that is under way for some minutes; what comes of it is among the moves' },
    deleted: FADES,
  },
  ticket: {
    refers: ['owner_id', 'named_holder_id'],
    copied: copy(
      'tickets',
      `select ${TICKET}, e.starts_at, e.venue, t.reference, t.label, t.status, t.used_at, t.purchased_at,
          t.owner_id is not distinct from ${FAN} as is_yours, p.tix_permit_id as permit, p.issued_at as onchain_since,
          p.revoked_at as withdrawn_at, p.closed_at
        from ticket t join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
          left join permit p on p.ticket_id = t.id
        where t.owner_id = ${FAN} or t.named_holder_id = ${FAN} order by e.starts_at, t.id`,
      { ticket: 'tkt' },
    ),
    // who had the ticket is for the books; the hash of the number that a row named would give the number away
    deleted: `update ticket set named_holder_key = null where named_holder_id = ${FAN} and named_holder_key is not null`,
  },
  listing_signature: {
    refers: ['grant_id'],
    copied: copy(
      'signatures',
      `select c.name as app, ${TICKET}, x.action, x.sentence, x.signed_at
        from listing_signature x ${OF_APP} ${OF_PERMIT} where g.fan_id = ${FAN} order by x.signed_at`,
      { ticket: 'tkt' },
    ),
    deleted: BOOKS,
  },
  listing: {
    refers: [],
    copied: copy(
      'listings',
      `select distinct x.id, ${TICKET}, x.price::text as price_lamports, x.marketplace, x.opened_at as on_sale_since,
          x.closed_at as ended_at, x.outcome
        from listing_signature s join listing x on x.permit_id = s.permit_id ${OF_PERMIT}
        where s.grant_id in ${GRANTS} and ${isSaleOf('s', 'x', 'p')} order by x.opened_at`,
      { id: 'lst', ticket: 'tkt' },
    ),
    deleted: BOOKS,
  },
  claim: {
    refers: ['grant_id', 'signer_wallet', 'destination_wallet'],
    copied: copy(
      'claims',
      `select x.id, c.name as app, ${TICKET}, x.signature as transaction, x.signer_wallet as from_wallet,
          x.destination_wallet as to_wallet, x.state, x.failure, x.created_at as at
        from claim x ${OF_APP} ${OF_PERMIT} where g.fan_id = ${FAN} order by x.created_at`,
      { id: 'clm', ticket: 'tkt' },
    ),
    deleted: BOOKS,
  },
  custody_move: {
    refers: ['from_fan_id', 'to_fan_id', 'from_wallet'],
    copied: copy(
      'moves',
      `select x.id, ${TICKET}, x.kind, x.cause, case when x.from_fan_id = ${FAN} then 'from you' else 'to you' end as way,
          x.from_wallet, x.destination as to_wallet, x.state, x.signature as transaction, x.created_at as ordered_at,
          x.ended_at
        from custody_move x ${OF_PERMIT} where x.from_fan_id = ${FAN} or x.to_fan_id = ${FAN} order by x.created_at`,
      { id: 'move', ticket: 'tkt' },
    ),
    deleted: BOOKS,
  },
  kill_switch: {
    refers: ['fan_id'],
    copied: copy('stops', `select reason, set_at as since from kill_switch where fan_id = ${FAN}`),
    deleted: { because: 'a fan whom staff have stopped can’t leave' },
  },
  notification: {
    refers: ['grant_id', 'fan_id'],
    copied: copy(
      'told',
      `select x.jti as id, c.name as app, x.type, x.data, x.occurred_at, x.state, x.ended_at as told_at
        from notification x join notification_endpoint n on n.id = x.endpoint_id join client c on c.id = n.client_id
        where x.fan_id = ${FAN} or x.grant_id in ${GRANTS} order by x.id`,
      { id: 'ntf' },
    ),
    deleted: FADES,
  },
  request_log: {
    refers: ['grant_id', 'fan_id'],
    copied: copy(
      'requests',
      `select x.at, c.name as app, x.operation, x.status, x.outcome, x.message, x.weight as times
        from request_log x left join client c on c.id = x.client_id
        where x.grant_id in ${GRANTS} or x.grant_id is null and x.fan_id = ${FAN} order by x.at`,
    ),
    deleted: FADES,
  },
  audit_entry: {
    refers: ['actor', 'subject'],
    copied: copy(
      'record',
      `select at, split_part(actor, ':', 1) as by, action, subject as about, details - 'staffToken' as details
        from audit_entry where subject = any ${NAMES} order by id`,
    ),
    deleted: { because: 'it has identifiers and no personal data, and can’t be changed' },
  },
  proposal: {
    refers: ['subject'],
    copied: copy(
      'proposals',
      `select id, kind, reason, proposed_at, state, note, outcome, ended_at
        from proposal where subject = any ${NAMES} order by id`,
      { id: 'prop' },
    ),
    // the masked number has the last digits of the number
    deleted: `update proposal set details = details || '{"masked":"deleted"}' where kind = 'fan.number_change'
      and (subject = any ${NAMES} or details ->> 'holder' = any ${NAMES})`,
  },
  test_user: { refers: ['fan_id'], copied: SANDBOX, deleted: SANDBOX },
  sandbox_kit: { refers: ['fan_id'], copied: SANDBOX, deleted: SANDBOX },
  wallet: {
    refers: ['fan_id'],
    copied: copy('wallets', `select address, created_at from wallet where fan_id = ${FAN}`),
    deleted: {
      because: 'its key may be needed until it holds no permit any more: `finish-leaving.ts` destroys it then',
    },
  },
  fan: {
    refers: ['phone'],
    copied: copy(
      'account',
      `select id, mode, phone, number_proved_at, number_vouched_at as number_named_by_company_at,
          passkey_declined_at, created_at
        from fan where id = ${FAN}`,
      { id: 'usr' },
    ),
    deleted: `update fan set phone = null, number_proved_at = null, passkey_declined_at = null,
      deleted_at = coalesce(deleted_at, (select at from given)) where id = ${FAN}`,
  },
};
