import { LockMode } from '@mikro-orm/core';
import type { Configuration } from 'openid-client';
import { Staff } from '../../entities/staff.ts';
import type { Config } from '../../platform/config/config.ts';
import type { WithConfig, WriteContext } from '../../platform/context.ts';
import { deviceDetails } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import type { SessionSecret } from '../../platform/identifier/secret-value.ts';
import { type Id, newId } from '../../platform/identifier/type-id.ts';
import { STAFF_ROLES, type StaffRole } from '../../platform/staff-role.ts';
import { after } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { endAccess } from '../account/end-access.ts';
import { type Claims, discoverProvider, keptProvider, readClaims } from '../account/identity-provider.ts';
import {
  type ProvenAnswer,
  type Provider,
  refuseSignIn,
  type SignInContext,
  type SignInRules,
} from '../account/provider-sign-in.ts';
import { startSession } from '../account/sessions.ts';

/** How staff sign in through the company's provider: the groups of the person decide the role. */
export const STAFF_SIGN_IN: SignInRules = {
  audience: 'staff',
  callbackUrl: ({ adminUrl }: Pick<Config, 'adminUrl'>) => `${adminUrl}/auth/callback`,
  find: companyProvider,
  scope: scopeFor,
  admit,
};

/**
 * The company's provider.
 * @throws DomainError `conflict` where none is configured or it does not accept our secret, `unavailable`
 */
export async function companyProvider({ config }: WithConfig): Promise<Provider> {
  const settings = settingsOf(config);
  const access = {
    // http is for development only; see config.ts
    insecure: settings.issuer.startsWith('http:'),
    secretName: 'STAFF_OIDC_CLIENT_SECRET',
  };
  const kept = await keptProvider(settings, () => discoverProvider(settings, access));
  return { issuer: settings.issuer, ...kept };
}

function settingsOf({ staffProvider }: Pick<Config, 'staffProvider'>) {
  if (staffProvider) return staffProvider;
  throw new DomainError('conflict', 'No sign-in service is configured. Staff sign in with one-time links.');
}

/** Some providers have a scope for groups, named like the claim; strict ones refuse unknown scopes. */
function scopeFor({ config }: WithConfig, client: Configuration): string {
  const supported = client.serverMetadata().scopes_supported;
  const wished = supported ? ['profile', 'email', settingsOf(config).groupsClaim] : ['profile', 'email'];
  return ['openid', ...wished.filter((scope) => supported?.includes(scope) ?? true)].join(' ');
}

/** Seconds by which the provider's clock may be behind ours. */
const CLOCK_LEEWAY = 60;

/** @throws DomainError `forbidden` (no group with a role, disabled, another person than the one who steps up), `fresh_sign_in_required` */
async function admit(context: SignInContext, answer: ProvenAnswer): Promise<SessionSecret> {
  const { issuer, client, tokens, stepUpOf, startedAt } = answer;
  const { groupsClaim, roleGroups } = settingsOf(context.config);
  const claims = await readClaims(client, tokens, [groupsClaim, 'name']);
  const person = personOf(claims);
  const groups = groupsOf(claims[groupsClaim]);
  // the highest role of the person's groups
  const role = STAFF_ROLES.findLast((name) => roleGroups[name].some((group) => groups.includes(group)));
  if (role === undefined) {
    // a person without a role loses sessions and tokens too
    await expelStaff(context, issuer, person.subject);
    throw await refuse(context, issuer, person, 'no group', noGroup(person.name));
  }
  const authenticatedAt = claims.auth_time === undefined ? null : new Date(claims.auth_time * 1000);
  if (stepUpOf !== null && !(authenticatedAt && authenticatedAt >= after(startedAt, -CLOCK_LEEWAY))) {
    throw new DomainError('fresh_sign_in_required', 'Your company’s sign-in service did not ask you to sign in again.');
  }
  const secret = await enter(context, answer, { person, role, authenticatedAt });
  if (secret !== undefined) return secret;
  throw await refuse(context, issuer, person, 'disabled', 'An admin has disabled your access. Ask an admin.');
}

/** @returns undefined where the person is disabled */
async function enter(
  context: SignInContext,
  { issuer, tokens, stepUpOf, replaces, device }: ProvenAnswer,
  { person, role, authenticatedAt }: { person: Person; role: StaffRole; authenticatedAt: Date | null },
): Promise<SessionSecret | undefined> {
  return context.em.fork().transactional(async (em) => {
    const work = { ...context, em };
    const staffId = await admitStaff(work, issuer, person, role);
    if (staffId === undefined) return undefined;
    if (stepUpOf !== null && staffId !== stepUpOf) {
      throw new DomainError(
        'forbidden',
        `You signed in as ${person.name}, but someone else is signed in here. Sign out first.`,
      );
    }
    const details = { via: 'provider', role, stepUp: stepUpOf !== null, ...deviceDetails(device) } as const;
    recordAudit(work, { actor: `staff:${staffId}`, action: 'staff.signed_in', subject: staffId, details });
    const isAhead = authenticatedAt !== null && authenticatedAt > context.now();
    return startSession(work, staffId, {
      // a provider whose clock is ahead must not extend the freshness of a sign-in
      authenticatedAt: isAhead ? context.now() : authenticatedAt,
      ...(tokens.id_token !== undefined && { idToken: tokens.id_token }),
      replaces,
      device,
    });
  });
}

function refuse(context: SignInContext, issuer: string, { subject, name }: Person, reason: string, message: string) {
  const refusal = { action: 'staff.sign_in_refused', details: { issuer, name, reason } } as const;
  return refuseSignIn(context, subject, refusal, message);
}

function noGroup(name: string): string {
  return `You are signed in as ${name}, but none of your groups has access to the console. Ask the person who manages your company’s groups.`;
}

/** The person who signed in, as the provider describes them. */
interface Person {
  subject: string;
  name: string;
  email: string | null;
}

function personOf(claims: Claims): Person {
  const email = textOf(claims, 'email');
  const name = textOf(claims, 'name') ?? textOf(claims, 'preferred_username') ?? email ?? claims.sub;
  return { subject: claims.sub, name: name.slice(0, 200), email: email?.slice(0, 320) ?? null };
}

function textOf(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A list, or one group as a string. */
function groupsOf(claim: unknown): string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter((group) => typeof group === 'string');
}

/**
 * Registers a person at the first sign-in and updates name, email and role at each, in the caller's transaction. The row stays
 * locked, so that a session that starts now ends with a concurrent end of access.
 * @returns undefined where disabled
 */
async function admitStaff(
  context: WriteContext,
  issuer: string,
  { subject, name, email }: Person,
  role: StaffRole,
): Promise<Id<'stf'> | undefined> {
  const { em, now } = context;
  const key = { issuer, subject };
  const id = newId('stf');
  // of concurrent first sign-ins one creates the row
  const first = { id, ...key, name, email, role, createdAt: now() };
  await em.upsert(Staff, first, { onConflictFields: ['issuer', 'subject'], onConflictAction: 'ignore' });
  const staff = await em.findOneOrFail(Staff, key, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (staff.disabledAt) return undefined;
  const { role: from } = staff;
  Object.assign(staff, { name, email, role, lastSignInAt: now() });
  const fact = { actor: 'system', subject: staff.id };
  if (staff.id === id) recordAudit(context, { ...fact, action: 'staff.registered', details: { issuer, name, role } });
  else if (from !== role) recordAudit(context, { ...fact, action: 'staff.role_changed', details: { from, to: role } });
  return staff.id;
}

/** Ends the sessions and tokens of a person who has lost every role at the provider. */
export async function expelStaff(context: WriteContext, issuer: string, subject: string): Promise<void> {
  await context.em.fork().transactional(async (em) => {
    // locked: a proposal that is being made waits, and then ends too
    const staff = await em.findOne(Staff, { issuer, subject }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!staff) return;
    const ended = await endAccess({ ...context, em }, staff.id);
    if (ended === 0) return;
    recordAudit({ ...context, em }, { actor: 'system', action: 'staff.expelled', subject: staff.id });
  });
}
