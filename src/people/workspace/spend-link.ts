import { PartnerLink, PartnerProvider } from '../../entities/partner-member.ts';
import type { Context } from '../../platform/context.ts';
import { type Device, deviceDetails } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, type MemberSessionSecret } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { endInvitations } from './live-invitation.ts';
import { startMemberSession } from './start-session.ts';

type LinkContext = Pick<Context, 'em' | 'now' | 'requestId'>;

export interface OpenedLink {
  secret: string;
  /** From the cookie of the browser that opened it. */
  browserSecret: string | undefined;
}

/** What a link does. */
export interface LinkPreview {
  /** Whom it signs in. */
  name: string;
  partnerName: string;
  partnerId: Id<'ptn'>;
  /** Whether the person has to sign in through the partner's own provider instead. */
  byProvider: boolean;
}

/**
 * What a link would do. Does not use it up, because programs open links in e-mails.
 * @throws DomainError `invalid_request` where it is used, expired, wrong, or of another browser
 */
export async function lookAtMemberLink(
  { em, now }: LinkContext,
  { secret, browserSecret }: OpenedLink,
): Promise<LinkPreview> {
  const link = await em.findOne(
    PartnerLink,
    { secretHash: hashOf(secret), usedAt: null, expiresAt: { $gt: now() }, member: { revokedAt: null } },
    { populate: ['member.partner'] },
  );
  if (!link) throw invalidLink();
  if (link.browserHash && link.browserHash !== hashOf(browserSecret ?? '')) throw otherBrowser();
  const { name, partner } = link.member;
  const byProvider = (await em.count(PartnerProvider, { partner: partner.id })) > 0;
  return { name, partnerName: partner.name, partnerId: partner.id, byProvider };
}

/**
 * Locks the person's row before the link's, as `revokeMember` does, to prevent deadlocks. The lock is held until the session
 * exists, so that a concurrent revocation ends it too.
 */
const ADMIT = `
  update partner_member m set last_sign_in_at = ?, joined_at = coalesce(joined_at, ?) from partner_link l
  where l.secret_hash = ? and l.used_at is null and l.expires_at > ? and (l.browser_hash is null or l.browser_hash = ?)
    and m.id = l.member_id and m.revoked_at is null
    and not exists (select from partner_provider p where p.partner_id = m.partner_id)
  returning m.id, m.partner_id`;

const USE = 'update partner_link set used_at = ? where secret_hash = ? and used_at is null returning kind';

/**
 * Signs in the person of a link, once.
 * @param replaces secret of the browser's present session, which ends
 * @returns the secret for the browser's cookie
 * @throws DomainError `invalid_request` where it is used, expired, wrong, or of another browser
 */
export async function spendMemberLink(
  context: LinkContext,
  opened: OpenedLink,
  { replaces, device }: { replaces: string | undefined; device: Device },
): Promise<MemberSessionSecret> {
  await lookAtMemberLink(context, opened);
  const at = context.now();
  const secretHash = hashOf(opened.secret);
  return context.em.fork().transactional(async (em) => {
    const work = { ...context, em };
    const values = [at, at, secretHash, at, hashOf(opened.browserSecret ?? '')];
    const [person] = await em.execute<{ id: Uuid; partner_id: Uuid }[]>(ADMIT, values);
    if (!person) throw invalidLink();
    const [used] = await em.execute<{ kind: PartnerLink['kind'] }[]>(USE, [at, secretHash]);
    if (!used) throw invalidLink();
    const id = idOf('mem', person.id);
    await endInvitations(work, id);
    const via = used.kind === 'invitation' ? 'invitation' : 'link';
    const details = { partner: idOf('ptn', person.partner_id), via, ...deviceDetails(device) } as const;
    recordAudit(work, { actor: `member:${id}`, action: 'partner_member.signed_in', subject: id, details });
    return startMemberSession(work, id, { replaces, device });
  });
}

function invalidLink(): DomainError {
  return new DomainError(
    'invalid_request',
    'This link was already used, has expired, was revoked or is incomplete. Ask for a new one.',
  );
}

function otherBrowser(): DomainError {
  return new DomainError(
    'invalid_request',
    'This link works only in the browser in which you asked for it. Open it there, or ask for a new one here.',
  );
}
