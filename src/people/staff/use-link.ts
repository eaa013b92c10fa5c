import { LockMode } from '@mikro-orm/core';
import { LOCAL_ISSUER, Staff } from '../../entities/staff.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { WithConfig, WriteContext } from '../../platform/context.ts';
import { type Device, deviceDetails } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import type { SessionSecret } from '../../platform/identifier/secret-value.ts';
import { idOf } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { staffIssuer } from '../account/account.ts';
import { findLink, spendLink } from '../account/links.ts';
import { startSession } from '../account/sessions.ts';

type LinkContext = WriteContext & WithConfig & WithSecrets;

/**
 * The person whom a link would sign in. Does not use it up.
 * @throws DomainError `invalid_request` where it is used, expired or wrong
 */
export async function lookAtLink(context: LinkContext, secret: string): Promise<Pick<Staff, 'name'>> {
  const { staff } = await readLink(context, secret);
  return staff;
}

/**
 * Signs in the person of a link, once.
 * @param sessionSecret of the browser's present session, which ends
 * @param device that signs in
 * @returns the secret for the browser's cookie
 * @throws DomainError `invalid_request` where it is used, expired or wrong
 */
export async function useLink(
  context: LinkContext,
  secret: string,
  sessionSecret: string | undefined,
  device?: Device,
): Promise<SessionSecret> {
  const at = context.now();
  return context.em.fork().transactional(async (em) => {
    const work = { ...context, em };
    const { link, staff } = await readLink(work, secret, LockMode.PESSIMISTIC_WRITE);
    if (!(await spendLink(work, link))) throw invalidLink();
    staff.lastSignInAt = at;
    const details = { via: 'link', role: staff.role, ...deviceDetails(device) } as const;
    recordAudit(work, { actor: `staff:${staff.id}`, action: 'staff.signed_in', subject: staff.id, details });
    return startSession(work, staff.id, { authenticatedAt: at, replaces: sessionSecret, device });
  });
}

async function readLink(context: LinkContext, secret: string, lockMode = LockMode.NONE) {
  // with a provider there are no links
  if (staffIssuer(context.config) !== LOCAL_ISSUER) throw invalidLink();
  const link = await findLink(context, 'staff', secret);
  if (!link) throw invalidLink();
  const person = { id: idOf('stf', link.accountId), disabledAt: null, issuer: LOCAL_ISSUER };
  const staff = await context.em.findOne(Staff, person, { lockMode });
  if (!staff) throw invalidLink();
  return { link, staff };
}

function invalidLink(): DomainError {
  return new DomainError(
    'invalid_request',
    'This sign-in link was already used, is older than 15 minutes or is incomplete. Ask for a new one.',
  );
}
