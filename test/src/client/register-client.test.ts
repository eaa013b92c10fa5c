import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientRegistration } from '../../../src/client/lint-registration.ts';
import { registerClient } from '../../../src/client/register-client.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Client } from '../../../src/entities/client.ts';
import type { Partner } from '../../../src/entities/partner.ts';
import { DomainError } from '../../../src/errors.ts';
import { registerPartner } from '../../../src/partner/register-partner.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { testApp } from '../../support/test-app.ts';

const GOOD: ClientRegistration = {
  name: 'Resale',
  mode: 'production',
  redirectUris: ['https://resale.example/callback'],
  scopes: ['openid', 'fan:tickets:read'],
};

let context: ServiceContext;
let partner: Partner;
const app = await testApp();
beforeAll(async () => {
  context = app.context();
  partner = await registerPartner(context, 'Resale Ltd', 'staff:ann');
  await context.em.flush();
});

function refusalOf(changes: Partial<ClientRegistration>): DomainError {
  try {
    registerClient(context, partner, { ...GOOD, ...changes }, 'staff:ann');
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('the registration was accepted');
}

describe('registerClient', () => {
  it.each([
    ['sandbox', 'sandbox-ready'],
    ['production', 'draft'],
  ] as const)('a %s client begins as %s', async (mode, status) => {
    const client = registerClient(context, partner, { ...GOOD, mode }, 'staff:ann');
    await context.em.flush();
    expect(client.id).toMatch(/^client_[0-9a-z]{26}$/);
    const read = await app.context().em.findOneOrFail(Client, { id: client.id }, { populate: ['partner'] });
    expect(read).toMatchObject({ mode, status, redirectUris: GOOD.redirectUris, scopes: GOOD.scopes });
    expect(read.partner.id).toBe(partner.id);
  });

  it('keeps the origins of its redirect URIs, each once', () => {
    const redirectUris = ['https://a.example/x', 'https://a.example/y', 'https://b.example:8443/'];
    const { corsOrigins } = registerClient(context, partner, { ...GOOD, redirectUris }, 'staff:ann');
    expect(corsOrigins).toEqual(['https://a.example', 'https://b.example:8443']);
  });

  it('is audited with who did it', async () => {
    const client = registerClient(context, partner, GOOD, 'staff:ann');
    await context.em.flush();
    const entry = await app.context().em.findOneOrFail(AuditEntry, { subject: client.id });
    expect(entry).toMatchObject({ actor: 'staff:ann', action: 'client.registered', details: GOOD });
  });

  it.each([
    ['', 'name must have'],
    ['  ', 'name must have'],
    ['x'.repeat(121), 'name must have'],
  ])('refuses the name "%s"', (name, message) => {
    expect(refusalOf({ name })).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(message) });
  });

  it.each([
    ['relative', '/callback', 'absolute'],
    ['without a scheme', 'resale.example/callback', 'absolute'],
    ['of a scheme of its own', 'myapp://callback', 'https://'],
    ['of javascript', 'javascript:alert(1)', 'https://'],
    ['with a fragment', 'https://resale.example/#here', 'fragment'],
    ['with an empty fragment', 'https://resale.example/#', 'fragment'],
    ['with a wildcard', 'https://*.resale.example/', 'wildcard'],
    ['with a user name', 'https://me@resale.example/', 'user name'],
    ['with a password', 'https://me:pw@resale.example/', 'user name'],
    ['on http in production', 'http://resale.example/', 'https:// in production'],
    ['on loopback in production', 'http://localhost:4000/callback', 'https:// in production'],
    ['with a space', 'https://resale.example/a b', 'character'],
    ['with a letter that is not ASCII', 'https://resale.example/ü', 'character'],
    ['with a line break', 'https://resale.example/\n', 'character'],
    ['longer than 2,000 characters', `https://resale.example/${'x'.repeat(2000)}`, '2,000'],
    ['empty', '', 'absolute'],
  ])('refuses a redirect URI %s and names which one', (_, uri, reason) => {
    const refusal = refusalOf({ redirectUris: ['https://resale.example/ok', uri] });
    expect(refusal.code).toBe('invalid_request');
    expect(refusal.message).toContain('redirectUris[1] ');
    expect(refusal.message).toContain(reason);
  });

  it('sandbox takes http on loopback only', () => {
    for (const uri of ['http://localhost:4000/cb', 'http://127.0.0.1/cb', 'http://[::1]:1/cb']) {
      expect(
        registerClient(context, partner, { ...GOOD, mode: 'sandbox', redirectUris: [uri] }, 'x').redirectUris,
      ).toEqual([uri]);
    }
    for (const uri of ['http://resale.example/cb', 'http://localhost.evil.example/cb', 'http://127.0.0.2/cb']) {
      expect(refusalOf({ mode: 'sandbox', redirectUris: [uri] }).message).toContain('may begin with http:// only');
    }
  });

  it('refuses none and more than fifty redirect URIs', () => {
    expect(refusalOf({ redirectUris: [] }).message).toContain('redirectUris');
    expect(refusalOf({ redirectUris: Array(51).fill(GOOD.redirectUris[0]) }).message).toContain('redirectUris');
  });

  it('refuses a redirect URI given twice', () => {
    const [uri] = GOOD.redirectUris;
    expect(refusalOf({ redirectUris: [uri ?? '', uri ?? ''] }).message).toContain('redirectUris[1]');
  });

  it('refuses unknown scopes, a scope given twice, and none', () => {
    expect(refusalOf({ scopes: ['openid', 'fan:everything'] }).message).toContain('fan:everything');
    expect(refusalOf({ scopes: ['openid', 'openid'] }).message).toContain('openid');
    expect(refusalOf({ scopes: [] }).message).toContain('scopes');
  });
});

describe('registerPartner', () => {
  it('refuses a name that is taken, also with spaces around it', async () => {
    await expect(registerPartner(app.context(), ' Resale Ltd ', 'staff:ann')).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it.each(['', '   ', 'x'.repeat(121)])('refuses the name "%s"', async (name) => {
    await expect(registerPartner(app.context(), name, 'staff:ann')).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
