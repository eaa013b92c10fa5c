import { randomInt } from 'node:crypto';
import { newKey } from '../../chain/wallet/create-keys.ts';
import { FormerNumber, type FormerNumberReason, SupportCode } from '../../entities/former-number.ts';
import { fanStopped } from '../../entities/stopped.ts';
import type { WithCustody } from '../../keys/vault.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, uuidOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { createFan } from '../fan/register-fan.ts';
import { type AuthenticationResponseJSON, checkPasskey } from '../passkey/check-passkey.ts';
import { movedOn } from './code-refusals.ts';
import { BY_CODE, type ProvedNumber, takeNumber } from './recycled-number.ts';

/** A sign-in or visit at the step `continuity`. */
export interface AtContinuity extends ProvedNumber {
  /** For challenges. */
  owner: string;
  /** Moves it on to the number's fan. @param em of a transaction @param amr how the fan was authenticated @returns whether the account is open */
  open(em: Context['em'], amr: string): Promise<boolean>;
}

type ContinuityContext = Pick<Context, 'em' | 'now' | 'config' | 'requestId'>;

/**
 * Opens the account that has the number, for a person with a passkey of it.
 * @throws DomainError `passkey_refused`, `passkey_elsewhere` (of another account), `wrong_step`, `fan_stopped`
 */
export async function proveByPasskey(
  context: ContinuityContext,
  at: AtContinuity,
  response: AuthenticationResponseJSON,
): Promise<void> {
  const { fan, amr } = await checkPasskey(context, { owner: at.owner, purpose: 'continuity' }, response);
  await context.em.transactional(async (em) => {
    const proved = await em.execute<unknown[]>(
      'update fan set number_proved_at = ? where id = ? and mode = ? and phone = ? returning id',
      [context.now(), uuidOf('usr', fan.id), at.mode, at.phone],
    );
    if (proved.length === 0)
      throw new DomainError('passkey_elsewhere', 'This passkey belongs to another account than the number.');
    const fact = { actor: `fan:${fan.id}`, action: 'fan.continuity_proved', subject: fan.id } as const;
    recordAudit({ ...context, em }, { ...fact, details: { by: 'passkey' } });
    await openOrRefuse(em, at, `${BY_CODE} ${amr}`);
  });
}

/**
 * Begins a new account with the number. The fan before keeps tickets, wallet, grants and passkeys, and the number as a former
 * one. Where another tab has begun it already, or the account was opened meanwhile, this one signs in to the same.
 * @throws DomainError `wrong_step`, `fan_stopped`, `unavailable` where no key can be sealed
 */
export async function startNewAccount(context: ContinuityContext & WithCustody, at: AtContinuity): Promise<void> {
  const key = await newKey(context);
  await context.em.transactional(async (em) => {
    const inTransaction = { ...context, em };
    const before = await takeNumber(inTransaction, at);
    if (before) {
      noteFormerNumber(inTransaction, before, at.phone, 'new_account', 'system');
      await createFan(inTransaction, at, key);
      await em.flush();
    }
    await openOrRefuse(em, at, BY_CODE);
  });
}

async function openOrRefuse(em: Context['em'], at: AtContinuity, amr: string): Promise<void> {
  if (await at.open(em, amr)) return;
  const [stopped] = await em.execute<unknown[]>(
    `select 1 from fan f where f.mode = ? and f.phone = ? and exists (${fanStopped('f.id')})`,
    [at.mode, at.phone],
  );
  throw stopped ? numberStopped() : movedOn();
}

/** Only to somebody who has proved the number, because it discloses that the number is a fan's. */
export function numberStopped(): DomainError {
  return new DomainError(
    'fan_stopped',
    'Sign-in with this number is stopped. Ask the support of the app that sent you here.',
  );
}

/** Keeps a number by which support still finds the fan who had it. Written with the caller's unit of work. */
export function noteFormerNumber(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  fan: Id<'usr'>,
  phone: string,
  reason: FormerNumberReason,
  actor: string,
): void {
  context.em.create(FormerNumber, { fan, phone, reason, givenUpAt: context.now() });
  recordAudit(context, { actor, action: 'fan.number_given_up', subject: fan, details: { reason } });
}

/** Seconds for which support can look a code up. */
const SUPPORT_CODE_LIFETIME = 7 * 86_400;
/** Without letters that are read as others. @see https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code such as `7K4M-2PQX` that shows support which account is meant, and that its reader holds the number. */
export async function supportCode(
  { em, now }: Pick<Context, 'em' | 'now'>,
  { mode, phone }: ProvedNumber,
): Promise<string> {
  const at = now();
  const drawn = Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const [row] = await em.execute<{ code: string }[]>(
    `insert into support_code as c (fan_id, code, proved_at, expires_at)
     select f.id, ?, ?, ? from fan f where f.mode = ? and f.phone = ?
     on conflict (fan_id) do update set code = case when c.expires_at <= excluded.proved_at then excluded.code else c.code end,
       proved_at = excluded.proved_at, expires_at = excluded.expires_at
     returning code`,
    [`${drawn.slice(0, 4)}-${drawn.slice(4)}`, at, after(at, SUPPORT_CODE_LIFETIME), mode, phone],
  );
  if (!row) throw movedOn();
  return row.code;
}

/** The fan whom a support code means; undefined for one that is unknown or too old. @param typed in any case, with or without `-` */
export async function findSupportCode(
  { em, now }: Pick<Context, 'em' | 'now'>,
  typed: string,
): Promise<SupportCode | undefined> {
  const letters = typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  const code = `${letters.slice(0, 4)}-${letters.slice(4)}`;
  return (await em.findOne(SupportCode, { code, expiresAt: { $gt: now() } })) ?? undefined;
}
