import { LockMode } from '@mikro-orm/core';
import { Partner } from '../../entities/partner.ts';
import { PartnerMember, PartnerProvider } from '../../entities/partner-member.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { EntityContext, WriteContext } from '../../platform/context.ts';
import { type Device, deviceDetails } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, type SessionSecret } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { endInvitations, findLink, spendLink } from '../account/links.ts';
import { startSession } from '../account/sessions.ts';

type LinkContext = WriteContext & WithSecrets;

export interface OpenedLink {
  secret: string;
  /** From the cookie of the browser that opened it. */
  browserSecret: string | undefined;
}

/** What a link would do. */
export interface LinkPreview {
  /** Whom it signs in. */
  name: string;
  partnerName: string;
  partnerId: Id<'ptn'>;
  /** Whether the person has to sign in through the partner's own provider instead. */
  byProvider: boolean;
}

/**
 * Looks at a link without using it up.
 * @throws DomainError `invalid_request` where it is used, expired, wrong, or of another browser
 */
export async function lookAtMemberLink(context: EntityContext, opened: OpenedLink): Promise<LinkPreview> {
  const { member, byProvider } = await readLink(context, opened);
  const partner = await context.em.findOneOrFail(Partner, { id: member.partner.id });
  return { name: member.name, partnerName: partner.name, partnerId: partner.id, byProvider };
}

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
): Promise<SessionSecret> {
  const at = context.now();
  return context.em.fork().transactional(async (em) => {
    const work = { ...context, em };
    const { link, member, byProvider } = await readLink(work, opened, LockMode.PESSIMISTIC_WRITE);
    if (byProvider || !(await spendLink(work, link))) throw invalidLink();
    member.lastSignInAt = at;
    member.joinedAt ??= at;
    await endInvitations(work, member.id);
    const via = link.kind === 'invitation' ? 'invitation' : 'link';
    const details = { partner: member.partner.id, via, ...deviceDetails(device) } as const;
    const actor = `member:${member.id}`;
    recordAudit(work, { actor, action: 'partner_member.signed_in', subject: member.id, details });
    return startSession(work, member.id, { authenticatedAt: at, replaces, device });
  });
}

async function readLink(context: EntityContext, { secret, browserSecret }: OpenedLink, lockMode = LockMode.NONE) {
  const { em } = context;
  const link = await findLink(context, 'member', secret);
  if (!link) throw invalidLink();
  const member = await em.findOne(PartnerMember, { id: idOf('mem', link.accountId), revokedAt: null }, { lockMode });
  if (!member) throw invalidLink();
  if (link.browserHash && link.browserHash !== hashOf(browserSecret ?? '')) throw otherBrowser();
  const byProvider = (await em.count(PartnerProvider, { partner: member.partner.id })) > 0;
  return { link, member, byProvider };
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
