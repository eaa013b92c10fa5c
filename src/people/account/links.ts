import { AccountLink, type Audience } from '../../entities/account.ts';
import type { Context, EntityContext } from '../../platform/context.ts';
import { hashOf, newLinkSecret } from '../../platform/identifier/secret-value.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { type AccountId, rowsOf } from './account.ts';

/** Seconds. */
export const LINK_LIFETIME = { sign_in: 15 * 60, invitation: 7 * 24 * 3600 };

/** A link with its secret, which only the recipient gets. */
export interface NewLink {
  secret: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Makes a link, in the caller's unit of work. @param browserSecret the only browser that can use it; without it any can */
export function addLink(
  { em, now }: EntityContext,
  account: AccountId,
  kind: AccountLink['kind'],
  browserSecret?: string,
): NewLink {
  const rows = rowsOf(account);
  const secret = newLinkSecret(rows.audience);
  const browserHash = browserSecret === undefined ? null : hashOf(browserSecret);
  const validity = { createdAt: now(), expiresAt: after(now(), LINK_LIFETIME[kind]) };
  em.create(AccountLink, { secretHash: hashOf(secret), ...rows, kind, browserHash, ...validity });
  return { secret, ...validity };
}

/** A link that still works. Does not use it up, because programs open links to preview them. */
export async function findLink({ em, now }: EntityContext, audience: Audience, secret: string) {
  const live = { usedAt: null, expiresAt: { $gt: now() } };
  const link = await em.findOne(AccountLink, { secretHash: hashOf(secret), audience, ...live });
  return link ?? undefined;
}

/**
 * Uses up a link, in the transaction of the sign-in. The caller has locked the account's row before, as the code that ends an
 * account's access does: this prevents deadlocks, and a session that begins meanwhile ends too.
 * @returns false where another browser was first
 */
export async function spendLink({ em, now }: EntityContext, { secretHash }: AccountLink): Promise<boolean> {
  return (await em.nativeUpdate(AccountLink, { secretHash, usedAt: null }, { usedAt: now() })) === 1;
}

/** Ends the invitations of a member who has joined, in the transaction of `em`. */
export async function endInvitations({ em, now }: EntityContext, member: Id<'mem'>): Promise<void> {
  await em.nativeUpdate(AccountLink, { ...invitationsOf(member), usedAt: null }, { usedAt: now() });
}

/** Whether a person who has not joined yet may still do so. */
export async function hasLiveInvitation({ em, now }: EntityContext, member: Id<'mem'>): Promise<boolean> {
  return (await em.count(AccountLink, { ...invitationsOf(member), usedAt: null, expiresAt: { $gt: now() } })) > 0;
}

/** Until when the newest unused invitation of each member works; undefined without one. */
export async function invitationExpiries(
  { em }: Pick<Context, 'em'>,
  members: readonly Id<'mem'>[],
): Promise<(Date | undefined)[]> {
  const accounts = members.map((member) => rowsOf(member).accountId);
  const unused = { audience: 'member', accountId: { $in: accounts }, kind: 'invitation', usedAt: null } as const;
  const links = await em.find(AccountLink, unused, { orderBy: { expiresAt: 'asc' } });
  const expiries = new Map(links.map(({ accountId, expiresAt }) => [accountId, expiresAt]));
  return accounts.map((account) => expiries.get(account));
}

function invitationsOf(member: Id<'mem'>) {
  return { ...rowsOf(member), kind: 'invitation' } as const;
}
