import { ProviderSignIn } from '../../entities/account.ts';
import { Partner } from '../../entities/partner.ts';
import { PartnerProvider } from '../../entities/partner-member.ts';
import { seal, type WithSecrets } from '../../keys/seal.ts';
import type { WithConfig, WriteContext } from '../../platform/context.ts';
import { LOCKED, rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { discover, issuerFault } from './partner-provider.ts';

type ProviderContext = WriteContext & WithConfig & WithSecrets;

export interface ProviderWish {
  partnerId: string;
  issuer: string;
  clientId: string;
  /** Undefined or null: we are a public client there. */
  clientSecret?: string | null | undefined;
}

const MOST_SECRET = 1_000;

/**
 * Sets the OIDC provider through which a partner's members sign in, and replaces the one before.
 * @throws DomainError `not_found`, `invalid_request`, `unavailable` where it does not answer, `conflict` where our secret can't be sent
 */
export async function setPartnerProvider(
  context: ProviderContext,
  wish: ProviderWish,
  actor: string,
): Promise<Partner> {
  const settings = read(context, wish);
  const id = knownId('ptn', wish.partnerId);
  // a wrong address or client is found now, and not by the first member who signs in
  await discover(context, { ...settings, clientSecret: wish.clientSecret ?? undefined });
  const secret = wish.clientSecret ? Buffer.from(wish.clientSecret) : undefined;
  const sealed = secret && (await seal(context.secrets, id, secret));
  return context.em.fork().transactional(async (em) => {
    const partner = await rowUnder(em, Partner, 'ptn', id, LOCKED);
    await em.nativeDelete(ProviderSignIn, { partnerId: id });
    await em.upsert(PartnerProvider, {
      partner: id,
      ...settings,
      secretOwner: id,
      sealedSecret: sealed?.sealed ?? null,
      sealedWith: sealed?.sealedWith ?? '',
      setAt: context.now(),
      setBy: actor,
    });
    recordAudit({ ...context, em }, { actor, action: 'partner.provider_set', subject: id, details: settings });
    return partner;
  });
}

/** Lets a partner's members sign in by e-mail again. @throws DomainError `not_found`, `conflict` where there is no provider */
export async function removePartnerProvider(
  context: ProviderContext,
  partnerId: string,
  actor: string,
): Promise<Partner> {
  const id = knownId('ptn', partnerId);
  return context.em.fork().transactional(async (em) => {
    const partner = await rowUnder(em, Partner, 'ptn', id, LOCKED);
    const provider = await em.findOne(PartnerProvider, { partner: id });
    if (!provider) throw new DomainError('conflict', `${partner.name} has no sign-in service of its own.`);
    await em.nativeDelete(ProviderSignIn, { partnerId: id });
    await em.nativeDelete(PartnerProvider, { partner: id });
    const details = { issuer: provider.issuer };
    recordAudit({ ...context, em }, { actor, action: 'partner.provider_removed', subject: id, details });
    return partner;
  });
}

/** @throws DomainError `invalid_request` */
function read(
  { config }: WithConfig,
  { issuer, clientId, clientSecret }: ProviderWish,
): { issuer: string; clientId: string } {
  const fault = issuerFault(config, issuer.trim());
  if (fault !== undefined) throw new DomainError('invalid_request', `issuer ${fault}.`);
  if (!/^[\x20-\x7e]{1,300}$/.test(clientId)) {
    throw new DomainError('invalid_request', 'clientId must have 1 to 300 ASCII characters.');
  }
  if (clientSecret && !(clientSecret.length <= MOST_SECRET && /^[\x20-\x7e]+$/.test(clientSecret))) {
    throw new DomainError('invalid_request', `clientSecret must have up to ${MOST_SECRET} ASCII characters.`);
  }
  return { issuer: issuer.trim(), clientId };
}
