import { randomInt } from 'node:crypto';
import { LockMode, raw } from '@mikro-orm/core';
import { newKey } from '../../chain/wallet/create-keys.ts';
import { Fan } from '../../entities/fan.ts';
import { FormerNumber, type FormerNumberReason, SupportCode } from '../../entities/former-number.ts';
import { KillSwitch } from '../../entities/kill-switch.ts';
import type { WithCustody } from '../../keys/vault.ts';
import type { Context, EntityContext, SqlContext, WithConfig, WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, idOf, uuidOf } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { after } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { createFan } from '../fan/register-fan.ts';
import { type AuthenticationResponseJSON, checkPasskey } from '../passkey/check-passkey.ts';
import { movedOn } from './code-refusals.ts';
import { mayBeRecycled, recycledBefore } from './recycled-number.ts';
import { findInDoubt, giveSupportCode } from './statements.ts';

/** `amr` of a sign-in by a code. Sandbox has it too, although a test user's code is not sent by SMS. @see RFC 8176 §2 */
export const BY_CODE = 'sms';

/** A number that a sign-in or a visit to the portal has proved. */
export interface ProvedNumber {
  mode: Mode;
  /** E.164. */
  phone: string;
}

/** A sign-in or visit at the step `continuity`. */
export interface AtContinuity extends ProvedNumber {
  /** The owner of its passkey challenges. */
  owner: string;
  /**
   * Signs a fan in.
   * @param em of a transaction @param amr how the fan was authenticated
   * @throws DomainError `wrong_step`, `fan_stopped`
   */
  open(em: Context['em'], fan: Id<'usr'>, amr: string): Promise<void>;
}

type ContinuityContext = WriteContext & SqlContext & WithConfig;

/**
 * Opens the account that has the number, for a person who has one of that account's passkeys.
 * @throws DomainError `passkey_refused`, `passkey_elsewhere` (of another account), `wrong_step`, `fan_stopped`
 */
export async function proveByPasskey(
  context: ContinuityContext,
  at: AtContinuity,
  response: AuthenticationResponseJSON,
): Promise<void> {
  const { fan, amr } = await checkPasskey(context, { owner: at.owner, purpose: 'continuity' }, response);
  await context.em.transactional(async (em) => {
    const held = { id: fan.id, mode: at.mode, phone: at.phone };
    if ((await em.nativeUpdate(Fan, held, { numberProvedAt: context.now() })) === 0)
      throw new DomainError('passkey_elsewhere', 'This passkey belongs to another account than the number.');
    const fact = { actor: `fan:${fan.id}`, action: 'fan.continuity_proved', subject: fan.id } as const;
    recordAudit({ ...context, em }, { ...fact, details: { by: 'passkey' } });
    await at.open(em, fan.id, `${BY_CODE} ${amr}`);
  });
}

/**
 * Begins a new account with the number, which becomes a former number of the fan who had it. That fan keeps tickets, wallet, grants and
 * passkeys. If another tab has meanwhile begun the new account, or opened the old one, this call signs in to that account.
 * @throws DomainError `wrong_step`, `fan_stopped`, `unavailable` where no key can be sealed
 */
export async function startNewAccount(context: ContinuityContext & WithCustody, at: AtContinuity): Promise<void> {
  const { mode, phone } = at;
  const key = await newKey(context);
  await context.em.fork().transactional(async (em) => {
    const lockHolder = () => em.findOne(Fan, { mode, phone }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    // the first read finds no row if another tab gave the number to a new fan while it waited for the lock
    const holder = (await lockHolder()) ?? (await lockHolder());
    if (!holder) throw movedOn();
    if ((await em.count(KillSwitch, { kind: 'fan', fan: holder.id })) > 0) throw numberStopped();
    const cutoff = recycledBefore(context);
    const inDoubt = raw((fan) => mayBeRecycled(fan, '?'), [cutoff]);
    const inTransaction = { ...context, em };
    let fan = holder.id;
    if ((await em.count(Fan, { id: holder.id, [inDoubt]: [] })) > 0) {
      await em.nativeUpdate(Fan, { id: holder.id }, { phone: null });
      noteFormerNumber(inTransaction, holder.id, phone, 'new_account', 'system');
      fan = (await createFan(inTransaction, at, key)).id;
      await em.flush();
    }
    await em.nativeUpdate(Fan, { id: fan }, { numberProvedAt: context.now() });
    await at.open(em, fan, BY_CODE);
  });
}

/** Since when nobody has proved the number or vouched for it; undefined where no fan has it. */
export async function unprovedSince(
  { em }: Pick<Context, 'em'>,
  { mode, phone }: ProvedNumber,
): Promise<Date | undefined> {
  const fan = await em.findOne(Fan, { mode, phone }, { refresh: true });
  if (!fan) return undefined;
  const { numberProvedAt, numberVouchedAt } = fan;
  return numberProvedAt && numberProvedAt > numberVouchedAt ? numberProvedAt : numberVouchedAt;
}

/** Those of the given fans whose number may belong to another person by now, so that a code alone does not open their account. */
export async function numbersInDoubt(context: SqlContext, fans: readonly Id<'usr'>[]): Promise<Set<Id<'usr'>>> {
  const uuids = fans.map((fan) => uuidOf('usr', fan));
  const found = await findInDoubt(context.pool, [uuids, recycledBefore(context)]);
  return new Set(found.map(({ id }) => idOf('usr', id)));
}

/** The refusal for a stopped fan. Only somebody who has proved the number gets it: it discloses that a fan has the number. */
export function numberStopped(): DomainError {
  return new DomainError(
    'fan_stopped',
    'Sign-in with this number is stopped. Ask the support of the app that sent you here.',
  );
}

/** Records a number that a fan gives up, by which support still finds the fan. The caller's unit of work writes it. */
export function noteFormerNumber(
  context: WriteContext,
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
/** Without I, L and O, which look like digits. @see https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code such as `7K4M-2PQX`, which the number's holder reads out to support: it names the account and shows that the number is proved. */
export async function supportCode({ pool, now }: SqlContext, { mode, phone }: ProvedNumber): Promise<string> {
  const at = now();
  const drawn = Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const code = `${drawn.slice(0, 4)}-${drawn.slice(4)}`;
  const [given] = await giveSupportCode(pool, [mode, phone, at, after(at, SUPPORT_CODE_LIFETIME), code]);
  if (!given) throw movedOn();
  return given.code;
}

/** Finds an unexpired support code, with its fan; undefined if there is none. @param typed in any case, with or without `-` */
export async function findSupportCode({ em, now }: EntityContext, typed: string): Promise<SupportCode | undefined> {
  const letters = typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  const code = `${letters.slice(0, 4)}-${letters.slice(4)}`;
  return (await em.findOne(SupportCode, { code, expiresAt: { $gt: now() } })) ?? undefined;
}
