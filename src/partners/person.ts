/**
 * Who a person is (D-340). One person may have several accounts: of staff, and as a member of partners. Accounts are one person's
 * where they have the same subject at the same provider, or the same e-mail address. Rules that need two people, and rules about
 * oneself, ask here.
 *
 * @module
 */
import { domainToASCII } from 'node:url';
import { PartnerMember } from '../entities/partner-member.ts';
import { LOCAL_ISSUER, Staff } from '../entities/staff.ts';
import type { Context } from '../platform/context.ts';
import { type Id, isId } from '../platform/identifier/type-id.ts';

export interface Person {
  /** All accounts of the person, as audit entries name them: `staff:…`, `member:…`. */
  accounts: ReadonlySet<string>;
  /** The partners that the person belongs to, or has belonged to. */
  partners: ReadonlySet<Id<'ptn'>>;
  /**
   * The members whom staff with one-time links invited, and whom those invited in turn. Any of them may be the same person: these staff
   * have no address to compare. Empty for everybody else.
   */
  invited: ReadonlySet<string>;
}

/** The identity of an account of staff or a member. */
interface Account {
  email?: string | null | undefined;
  issuer?: string | null | undefined;
  subject?: string | null | undefined;
}

/** As the database has it now. */
const READ = { disableIdentityMap: true } as const;

/** The person who acts with an account. @param actor as audit entries name it; one that is no account is a person of its own */
export async function personBehind({ em }: Pick<Context, 'em'>, actor: string): Promise<Person> {
  const staff = await em.find(Staff, {}, READ);
  const member = memberIn(actor);
  const account =
    staff.find(({ id }) => actor === `staff:${id}`) ??
    (member && (await em.findOne(PartnerMember, { id: member }, READ)));
  const { accounts, partners } = await personWith(em, staff, account ?? {});
  const invited = account?.issuer === LOCAL_ISSUER ? await invitedFrom(em, actor) : new Set<string>();
  return { accounts: new Set([actor, ...accounts]), partners, invited };
}

/** The members who owe their invitation to an actor, directly or through other members. */
async function invitedFrom(em: Context['em'], actor: string): Promise<Set<string>> {
  const invited = new Set<string>();
  for (let by = [actor]; by.length > 0; ) {
    const members = await em.find(PartnerMember, { invitedBy: { $in: by } }, READ);
    by = members.map(({ id }) => `member:${id}`).filter((member) => !invited.has(member));
    for (const member of by) invited.add(member);
  }
  return invited;
}

/** The person who has an address, with or without an account. */
export async function personAt(
  { em }: Pick<Context, 'em'>,
  email: string,
): Promise<Pick<Person, 'accounts' | 'partners'>> {
  return personWith(em, await em.find(Staff, {}, READ), { email });
}

/** @param staff all of them: they are few, and providers write addresses in any form */
async function personWith(
  em: Context['em'],
  staff: readonly Staff[],
  { email, issuer, subject }: Account,
): Promise<Pick<Person, 'accounts' | 'partners'>> {
  const address = email ? normalAddress(email) : undefined;
  const isProvided = issuer != null && issuer !== LOCAL_ISSUER;
  // staff with one-time links have no identity but their account
  if (address === undefined && !isProvided) return { accounts: new Set(), partners: new Set() };
  const isSame = (other: Account) =>
    (other.email != null && normalAddress(other.email) === address) ||
    (isProvided && other.issuer === issuer && other.subject === subject);
  // addresses of members are stored in ASCII and lower case
  const [mailbox = '', domain = ''] = address?.split('@') ?? [];
  const sameMailbox = { email: { $like: `${mailbox}%@${domain}` } };
  const sameSubject = { issuer: issuer ?? '', subject: subject ?? '' };
  const members = (await em.find(PartnerMember, { $or: [sameMailbox, sameSubject] }, READ)).filter(isSame);
  const belonged = members.filter(({ joinedAt, revokedAt }) => joinedAt || !revokedAt);
  return {
    accounts: new Set([
      ...staff.filter(isSame).map(({ id }) => `staff:${id}`),
      ...members.map(({ id }) => `member:${id}`),
    ]),
    partners: new Set(belonged.map(({ partner }) => partner.id)),
  };
}

/**
 * An e-mail address as addresses are compared: lower case, one Unicode form, the domain in ASCII, and without a subaddress, whose
 * mail arrives in the same mailbox.
 * @see RFC 5233, RFC 5891
 */
export function normalAddress(address: string): string {
  const text = address.normalize('NFKC').trim().toLowerCase();
  const at = text.lastIndexOf('@');
  if (at < 0) return text;
  return `${text.slice(0, at).replace(/\+.*$/, '')}@${domainToASCII(text.slice(at + 1))}`;
}

/** The member of staff whom an actor of the audit log names; undefined for another actor. */
export function staffIn(actor: string | null | undefined): Id<'stf'> | undefined {
  const id = actor?.startsWith('staff:') ? actor.slice('staff:'.length) : '';
  return isId('stf', id) ? id : undefined;
}

/** The member of a partner whom an actor of the audit log names; undefined for another actor. */
export function memberIn(actor: string | null | undefined): Id<'mem'> | undefined {
  const id = actor?.startsWith('member:') ? actor.slice('member:'.length) : '';
  return isId('mem', id) ? id : undefined;
}
