import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../../src/platform/config/read-config.ts';
import { PRODUCTION_ENV, problems } from '../../../support/config-problems.ts';

const STAFF = {
  STAFF_OIDC_ISSUER: 'https://id.example',
  STAFF_OIDC_CLIENT_ID: 'console',
  STAFF_ROLE_GROUPS: 'support=helpdesk, reviewer=review,admin=boss,admin=owner=1',
};
const PRODUCTION = { ...PRODUCTION_ENV, SURFACES: 'auth,admin' };

describe('how staff sign in', () => {
  it('without an issuer by one-time links', () => {
    expect(readConfig({}).staffProvider).toBeUndefined();
  });

  it('with an issuer through it, as a public client where there is no secret', () => {
    expect(readConfig(STAFF).staffProvider).toEqual({
      issuer: 'https://id.example',
      clientId: 'console',
      clientSecret: undefined,
      groupsClaim: 'groups',
      roleGroups: { support: ['helpdesk'], reviewer: ['review'], admin: ['boss', 'owner=1'] },
    });
  });

  it.each(['STAFF_OIDC_CLIENT_ID', 'STAFF_ROLE_GROUPS'] as const)('an issuer needs %s', (name) => {
    expect(problems({ ...STAFF, [name]: '' })).toEqual([expect.stringContaining(`${name}: required`)]);
  });

  it.each(['STAFF_OIDC_CLIENT_ID', 'STAFF_OIDC_CLIENT_SECRET', 'STAFF_ROLE_GROUPS'])(
    '%s without an issuer is reported',
    (name) => {
      expect(problems({ [name]: 'admin=x' })).toEqual([expect.stringContaining(`${name}: has no effect without`)]);
    },
  );

  it.each(['boss=a', 'admin', 'admin=', 'support=a,,admin=b'])(
    'a malformed STAFF_ROLE_GROUPS is refused: %s',
    (text) => {
      expect(problems({ ...STAFF, STAFF_ROLE_GROUPS: text }).join()).toContain('STAFF_ROLE_GROUPS: must be like');
    },
  );
});

describe('production with the console', () => {
  it.each([
    ['no issuer', {}],
    ['an http issuer', { ...STAFF, STAFF_OIDC_ISSUER: 'http://id.example' }],
  ])('does not start with %s', (_, staff) => {
    expect(problems({ ...PRODUCTION, ...staff }).join()).toContain('STAFF_OIDC_ISSUER: an https issuer is required');
  });

  it('starts with an https issuer, and without the console none is needed', () => {
    expect(problems({ ...PRODUCTION, ...STAFF })).toEqual([]);
    expect(problems({ ...PRODUCTION, SURFACES: 'auth' })).toEqual([]);
  });
});
