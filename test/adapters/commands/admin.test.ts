import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { documentOf, type Operation, operationsOf } from '../../../adapters/commands/operation-document.ts';
import { readFlags } from '../../../adapters/commands/operation-flags.ts';
import { runOperation } from '../../../adapters/commands/run-operation.ts';
import { schema } from '../../../schema/schema.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { findLocalAdmin } from '../../../src/people/staff/make-link.ts';
import { createStaffToken } from '../../../src/people/staff/staff-tokens.ts';
import { runCommand } from '../../support/run-command.ts';
import { newStaff, runAs } from '../../support/staff-call.ts';
import { KEY_ENCRYPTION_KEY } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

function operation(name: string): Operation {
  const found = operationsOf(schema).find(({ field }) => field.name === name);
  if (!found) throw new Error(`no operation ${name}`);
  return found;
}

function environment(): Record<string, string> {
  const { databaseUrl = '', port } = app.config;
  return { DATABASE_URL: databaseUrl, KEY_ENCRYPTION_KEY, PORT: String(port) };
}

const admin = (words: string[], env: Record<string, string> = {}) =>
  runCommand('admin', words, { ...environment(), ...env });

describe('npm run admin', () => {
  it('does a mutation as the local admin, and prints JSON', async () => {
    const { code, stdout, stderr } = await admin(['registerPartner', '--name', 'By command']);
    expect([code, stderr]).toEqual([0, '']);
    const printed = JSON.parse(stdout);
    expect(printed).toMatchObject({ __typename: 'Partner', name: 'By command', clientCount: 0 });
    const { id } = await findLocalAdmin(app.context());
    const entry = await app.context().em.findOneOrFail(AuditEntry, { subject: printed.id });
    expect(entry).toMatchObject({ actor: `staff:${id}`, action: 'partner.registered' });
  });

  it('a refusal is printed, with exit code 1', async () => {
    const { code, stdout } = await admin(['registerPartner', '--name', ' ']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ __typename: 'Refusal', code: 'invalid_request' });
  });

  it('with ADMIN_TOKEN it calls over HTTP, with the rights of the token', async () => {
    const { id, name, email, role } = await findLocalAdmin(app.context());
    const owner = { id, name, email: email ?? null, role, authenticatedAt: app.runtime.now(), scopes: null };
    const wish = { name: 'command', scopes: ['console:read'], days: 1 };
    const { value } = await createStaffToken(app.context(), wish, owner);
    // no database of its own, so that nothing but HTTP can have answered
    const remote = { DATABASE_URL: '', KEY_ENCRYPTION_KEY: '', ADMIN_TOKEN: value, ADMIN_URL: app.config.adminUrl };
    const read = await admin(['viewer'], remote);
    expect([read.code, JSON.parse(read.stdout)]).toMatchObject([0, { id, via: 'token', rights: ['console:read'] }]);
    const document = documentOf(operation('registerPartner'), ['name'], undefined);
    const written = await runOperation(remote, document, { name: 'By token' });
    expect(written.data).toMatchObject({ registerPartner: { __typename: 'Refusal', code: 'forbidden' } });
    expect(await app.context().em.count(Partner, { name: 'By token' })).toBe(0);
    const wrong = await runOperation({ ...remote, ADMIN_TOKEN: 'st_wrong' }, '{ viewer { id } }', {});
    expect(wrong.errors).toMatchObject([{ code: 'sign_in_required' }]);
  });

  it('without an operation it lists all of them, with their arguments', async () => {
    const { code, stdout } = await admin([]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Queries:\n.*\n {2}viewer\n.*Changes:\n.*\n {2}registerPartner --name String!\n/s);
  });

  it('a wrong command line is refused with its fault, and exit code 2', async () => {
    const { code, stdout, stderr } = await admin(['noSuchThing']);
    expect([code, stdout, stderr]).toEqual([2, '', 'noSuchThing: no such operation; list them with npm run admin\n']);
  });
});

describe('arguments', () => {
  it.each([
    ['createStaffLink', ['--name', 'A', '--role', 'reviewer'], { name: 'A', role: 'REVIEWER' }],
    [
      'createStaffToken',
      ['--name=a=b', '--scopes', 'x', '--scopes', 'y', '--days', '3'],
      { name: 'a=b', scopes: ['x', 'y'], days: 3 },
    ],
    ['createStaffToken', ['--name', 'n', '--scopes', '["x"]', '--days=3'], { name: 'n', scopes: ['x'], days: 3 }],
    ['staff', ['--first', '2', '--search', '-x'], { first: 2, search: '-x' }],
    ['claims', ['--stuck', '--first', '2'], { stuck: true, first: 2 }],
    ['claims', ['--stuck', 'false'], { stuck: false }],
  ])('are read by their types: %s %j', (name, words, values) => {
    expect(readFlags(operation(name), words).values).toEqual(values);
  });

  it.each([
    [['--first', 'x'], '--first: must be a number'],
    [['--first', '1', '--first', '2'], '--first: given more than once'],
    [['--fist', '1'], '--fist: there is no such flag, but --'],
    [['--search'], '--search: needs a value'],
    [['x'], 'x: flags are written as --name value'],
    [['--id', 'x'], '--reason String!: required for disableStaff'],
  ])('are refused by name: %j', (words, message) => {
    const name = message.includes('disableStaff') ? 'disableStaff' : 'staff';
    expect(() => readFlags(operation(name), words)).toThrow(message);
  });
});

describe('documents', () => {
  it('of every operation are valid, with all of its arguments and with none that can be left out', () => {
    const operations = operationsOf(schema);
    expect(operations.length).toBeGreaterThan(10);
    const faults = operations.flatMap((each) => {
      const all = each.field.args.map(({ name }) => name);
      const required = each.field.args.filter(({ type }) => String(type).endsWith('!')).map(({ name }) => name);
      return [all, required].flatMap((given) => validate(schema, parse(documentOf(each, given, undefined))));
    });
    expect(faults.map(({ message }) => message)).toEqual([]);
  });

  it('of every query that needs no argument are answered, so they are within the limits of a call', async () => {
    const staff = await newStaff(app);
    for (const each of operationsOf(schema)) {
      if (each.kind !== 'query' || each.field.args.some(({ type }) => String(type).endsWith('!'))) continue;
      await expect(runAs(app, staff, documentOf(each, [], undefined)), each.field.name).resolves.toBeDefined();
    }
  });

  it('--fields chooses what is answered', async () => {
    const { fields, values } = readFlags(operation('partners'), ['--first', '1', '--fields', '{ nodes { name } }']);
    const document = documentOf(operation('partners'), Object.keys(values), fields);
    const { data } = await runOperation(environment(), document, values);
    expect(data).toEqual({ partners: { nodes: [{ name: expect.any(String) }] } });
  });
});
