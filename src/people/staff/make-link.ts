import { LOCAL_ISSUER, Staff } from '../../entities/staff.ts';
import type { EntityContext, WithConfig, WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { nameFault } from '../../platform/identifier/name-fault.ts';
import { type Id, isId, newId } from '../../platform/identifier/type-id.ts';
import { STAFF_ROLES, type StaffRole } from '../../platform/staff-role.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { addLink } from '../account/links.ts';

/** Subject of the operator, who exists in every installation without a provider. */
export const LOCAL_ADMIN = 'admin';

/** A one-time sign-in link. It signs in anyone who opens it, so it must only reach that person. */
export interface SignInLink {
  url: string;
  staffId: Id<'stf'>;
  name: string;
  expiresAt: Date;
}

type LinkContext = WriteContext & WithConfig;

/**
 * A link for the local admin, only for the output of the process.
 * @throws DomainError `conflict` where staff sign in through a provider
 */
export async function makeLocalAdminLink(context: LinkContext): Promise<SignInLink> {
  requireLinks(context);
  const admin = await findLocalAdmin(context);
  const link = newLinkFor(context, admin);
  recordAudit(context, { actor: 'system', action: 'staff_link.made', subject: admin.id });
  await context.em.flush();
  return link;
}

/**
 * Registers a local member of staff and returns a link for them.
 * @param person name of 1 to 120 characters, unique among local staff
 * @throws DomainError `invalid_request`, `conflict`
 */
export async function inviteStaff(
  context: LinkContext,
  person: { name: string; role: StaffRole },
  actor: string,
): Promise<SignInLink> {
  requireLinks(context);
  const { em, now } = context;
  const name = person.name.trim();
  const fault = nameFault(name);
  if (fault !== undefined) throw new DomainError('invalid_request', `name ${fault}.`);
  if (!STAFF_ROLES.includes(person.role))
    throw new DomainError('invalid_request', `role must be one of ${STAFF_ROLES.join(', ')}.`);
  if (await em.findOne(Staff, { issuer: LOCAL_ISSUER, name })) {
    throw new DomainError('conflict', `${name} already exists. Create a new link for them instead.`);
  }
  const id = newId('stf');
  const staff = em.create(Staff, { id, issuer: LOCAL_ISSUER, subject: id, name, role: person.role, createdAt: now() });
  const link = newLinkFor(context, staff);
  const details = { issuer: LOCAL_ISSUER, name, role: person.role };
  recordAudit(context, { actor, action: 'staff.registered', subject: id, details });
  recordAudit(context, { actor, action: 'staff_link.made', subject: id });
  await em.flush();
  return link;
}

/**
 * A new link for a local member of staff.
 * @throws DomainError `not_found`, `conflict` where staff sign in through a provider or the person is disabled
 */
export async function makeLink(context: LinkContext, staffId: string, actor: string): Promise<SignInLink> {
  requireLinks(context);
  const { em } = context;
  const staff = isId('stf', staffId) ? await em.findOne(Staff, { id: staffId, issuer: LOCAL_ISSUER }) : null;
  if (!staff) throw new DomainError('not_found', 'This person was not found, or does not sign in with links.');
  if (staff.disabledAt) throw new DomainError('conflict', `${staff.name} is disabled. Enable them first.`);
  const link = newLinkFor(context, staff);
  recordAudit(context, { actor, action: 'staff_link.made', subject: staff.id });
  await em.flush();
  return link;
}

/** The local admin, registered on first use; safe with concurrent processes. */
export async function findLocalAdmin({ em, now }: EntityContext): Promise<Staff> {
  const key = { issuer: LOCAL_ISSUER, subject: LOCAL_ADMIN };
  const data = { ...key, name: 'Local admin', role: 'admin' as const, createdAt: now() };
  const known = await em.findOne(Staff, key);
  if (known) return known;
  return em.upsert(Staff, data, { onConflictFields: ['issuer', 'subject'], onConflictAction: 'ignore' });
}

function newLinkFor(context: LinkContext, { id, name }: Staff): SignInLink {
  const { secret, expiresAt } = addLink(context, id, 'sign_in');
  return { url: `${context.config.adminUrl}/auth/link?secret=${secret}`, staffId: id, name, expiresAt };
}

function requireLinks({ config }: WithConfig): void {
  if (config.staffProvider) {
    throw new DomainError(
      'conflict',
      'Staff sign in through the company’s sign-in service. One-time links are not available.',
    );
  }
}
