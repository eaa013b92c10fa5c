import { type EntityManager, LockMode } from '@mikro-orm/core';
import { ServiceAccount, ServiceToken } from '../../entities/service-account.ts';
import { SERVICE_RIGHTS } from '../../partners/rights.ts';
import type { Context, EntityContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { nameFault } from '../../platform/identifier/name-fault.ts';
import { hashOf, newServiceTokenValue, type ServiceTokenValue } from '../../platform/identifier/secret-value.ts';
import { isId, newId } from '../../platform/identifier/type-id.ts';
import { after, DAY, HOUR } from '../../platform/time.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';

type Work = Pick<Context, 'em' | 'now' | 'requestId' | 'staffToken'>;

export interface AccountWish {
  /** 1 to 120 characters. */
  name: string;
  /** Of `SERVICE_RIGHTS`. */
  scopes: string[];
  /** Until its first token expires: 1 to 365. */
  days: number;
  /** 1 to 20,000 in each process. */
  callsPerMinute: number;
}

/** A token with its value, which is shown once. */
export interface NewServiceToken {
  account: ServiceAccount;
  token: ServiceToken;
  value: ServiceTokenValue;
}

/** Accounts that are not disabled. */
const MAX_ACCOUNTS = 100;
const MAX_CALLS = 20_000;
const MAX_OVERLAP_HOURS = 168;

/**
 * Makes a service account with its first token.
 * @param actor as audit entries name the admin
 * @throws DomainError `invalid_request` naming the field, `conflict` at 100 accounts
 */
export async function createServiceAccount(context: Work, wish: AccountWish, actor: string): Promise<NewServiceToken> {
  const { name, scopes, days, callsPerMinute } = wish;
  const fault = nameFault(name);
  if (fault !== undefined) throw new DomainError('invalid_request', `name ${fault}.`);
  checkScopes(scopes);
  checkWhole('days', days, 1, 365);
  checkWhole('callsPerMinute', callsPerMinute, 1, MAX_CALLS);
  return context.em.fork().transactional(async (em) => {
    if ((await em.count(ServiceAccount, { disabledAt: null })) >= MAX_ACCOUNTS) {
      throw new DomainError('conflict', `There are ${MAX_ACCOUNTS} service accounts. Disable one first.`);
    }
    const account = em.create(ServiceAccount, {
      id: newId('sva'),
      name: name.trim(),
      scopes,
      callsPerMinute,
      createdAt: context.now(),
    });
    const made = addToken({ ...context, em }, account, days);
    const details = { name: account.name, scopes, days, callsPerMinute };
    recordAudit({ ...context, em }, { actor, action: 'service_account.created', subject: account.id, details });
    return made;
  });
}

/**
 * Gives an account another token. The newest before it stays valid for the overlap, so that the machine can switch; any
 * older one ends now.
 * @param wish days until the new token expires, 1 to 365; hours for which the one before it stays valid, 0 to 168
 * @throws DomainError `invalid_request`, `not_found`, `conflict` where the account is disabled
 */
export async function rotateServiceToken(
  context: Work,
  accountId: string,
  wish: { days: number; overlapHours: number },
  actor: string,
): Promise<NewServiceToken> {
  const { days, overlapHours } = wish;
  checkWhole('days', days, 1, 365);
  checkWhole('overlapHours', overlapHours, 0, MAX_OVERLAP_HOURS);
  return context.em.fork().transactional(async (em) => {
    const account = await lockedAccount(em, accountId);
    const live = await em.find(
      ServiceToken,
      { account, expiresAt: { $gt: context.now() } },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
    for (const [index, token] of live.entries()) {
      const end = after(context.now(), index === 0 ? overlapHours * HOUR : 0);
      if (token.expiresAt > end) token.expiresAt = end;
    }
    const made = addToken({ ...context, em }, account, days);
    const details = { name: account.name, token: made.token.id, days, overlapHours };
    recordAudit({ ...context, em }, { actor, action: 'service_account.rotated', subject: account.id, details });
    return made;
  });
}

/** Disables an account for good; its tokens are refused from the next call on. @throws DomainError `not_found`, `conflict` */
export async function disableServiceAccount(
  context: Work,
  accountId: string,
  why: string,
  actor: string,
): Promise<ServiceAccount> {
  const reason = givenReason(why);
  return context.em.fork().transactional(async (em) => {
    const account = await lockedAccount(em, accountId);
    account.disabledAt = context.now();
    const live = { account, expiresAt: { $gt: context.now() } };
    await em.nativeUpdate(ServiceToken, live, { expiresAt: context.now() });
    const details = { name: account.name, reason };
    recordAudit({ ...context, em }, { actor, action: 'service_account.disabled', subject: account.id, details });
    return account;
  });
}

function addToken({ em, now }: EntityContext, account: ServiceAccount, days: number): NewServiceToken {
  const value = newServiceTokenValue();
  const token = em.create(ServiceToken, {
    id: newId('svt'),
    account,
    secretHash: hashOf(value),
    createdAt: now(),
    expiresAt: after(now(), days * DAY),
  });
  return { account, token, value };
}

/** Locked, so that two changes of one account come one after the other. */
async function lockedAccount(em: EntityManager, id: string): Promise<ServiceAccount> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const account = isId('sva', id) ? await em.findOne(ServiceAccount, { id }, options) : null;
  if (!account) throw new DomainError('not_found', 'This service account was not found.');
  if (account.disabledAt) throw new DomainError('conflict', 'This service account is disabled. Create another one.');
  return account;
}

function checkScopes(scopes: string[]): void {
  if (scopes.length === 0) throw new DomainError('invalid_request', 'scopes must have at least one entry.');
  for (const [index, scope] of scopes.entries()) {
    if (!SERVICE_RIGHTS.some((right) => right === scope)) {
      throw new DomainError('invalid_request', `scopes: a service account can’t have ${scope.slice(0, 60)}.`);
    }
    if (scopes.indexOf(scope) < index) throw new DomainError('invalid_request', `scopes: ${scope} is a duplicate.`);
  }
}

function checkWhole(name: string, value: number, from: number, to: number): void {
  if (Number.isInteger(value) && value >= from && value <= to) return;
  throw new DomainError(
    'invalid_request',
    `${name} must be a whole number from ${from} to ${to.toLocaleString('en')}.`,
  );
}
