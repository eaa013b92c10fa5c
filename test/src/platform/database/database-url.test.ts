import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { connectionFor, connectionOptions, tlsFault } from '../../../../src/platform/database/database-url.ts';
import { testFolder } from '../../../support/test-folder.ts';

const folder = await testFolder();

/** Node's default: the certificate and its name are checked. */
const VERIFIED = { host: 'db.example' };

describe('DATABASE_URL', () => {
  it('without parameters is an address, and no TLS', () => {
    expect(connectionOptions('postgres://fan:se%40cret@db.example:6432/fan%20api', {})).toEqual({
      host: 'db.example',
      port: 6432,
      user: 'fan',
      password: 'se@cret',
      database: 'fan api',
      ssl: false,
      application_name: 'fan-api',
    });
  });

  it.each([
    ['verify-full', VERIFIED],
    ['require', { ...VERIFIED, rejectUnauthorized: false }],
  ])('sslmode=%s means what libpq means', (mode, ssl) => {
    expect(connectionOptions(`postgres://u@db.example/d?sslmode=${mode}`, {}).ssl).toEqual(ssl);
  });

  it('ssl=true is verify-full, ssl=false is disable', () => {
    expect(connectionOptions('postgres://u@db.example/d?ssl=true', {}).ssl).toEqual(VERIFIED);
    expect(connectionOptions('postgres://u@db.example/d?ssl=false', {}).ssl).toBe(false);
  });

  it('with a CA, require and verify-ca check the certificate, but not its name', async () => {
    const ca = join(folder, 'ca.pem');
    await writeFile(ca, 'the CA');
    for (const mode of ['require', 'verify-ca']) {
      const { ssl } = connectionOptions(`postgres://u@db.example/d?sslmode=${mode}&sslrootcert=${ca}`, {});
      expect(ssl).toEqual({ ...VERIFIED, ca: 'the CA', checkServerIdentity: expect.any(Function) });
    }
    expect(connectionOptions(`postgres://u@db.example/d?sslmode=verify-full&sslrootcert=${ca}`, {}).ssl).toEqual({
      ...VERIFIED,
      ca: 'the CA',
    });
  });

  it('sslrootcert=system is what Node trusts', () => {
    const url = 'postgres://u@db.example/d?sslmode=verify-full&sslrootcert=system';
    expect(connectionOptions(url, {}).ssl).toEqual(VERIFIED);
  });

  it.each(['postgres://u:p@/d?host=/var/run/postgresql', 'postgres:///d?host=/var/run/postgresql&user=u&password=p'])(
    '%s is a unix socket',
    (url) => {
      expect(connectionOptions(url, {})).toMatchObject({
        host: '/var/run/postgresql',
        user: 'u',
        password: 'p',
        database: 'd',
      });
    },
  );

  it('takes application_name and options', () => {
    const url = 'postgres://u@localhost/d?application_name=fan-1&options=-c%20search_path%3Dfan';
    expect(connectionOptions(url, {})).toMatchObject({ application_name: 'fan-1', options: '-c search_path=fan' });
  });

  it('the name of a connection says what it is for, on which host and of which worker, within what PostgreSQL keeps', () => {
    const nameOf = (url: string) => connectionFor('requests', url).application_name;
    expect(nameOf('postgres://u@localhost/d')).toBe(`fan-api requests ${hostname()}`);
    vi.stubEnv('WORKER_NUMBER', '12');
    expect(nameOf('postgres://u@localhost/d?application_name=fan-1')).toBe(`fan-1 requests ${hostname()}/12`);
    const long = nameOf(`postgres://u@localhost/d?application_name=${'x'.repeat(49)}`);
    expect(long).toMatch(/^x{49} requests .\/12$/);
    vi.unstubAllEnvs();
  });

  it('takes what it does not say from its service, and then from the environment', async () => {
    const PGSERVICEFILE = join(folder, 'services.conf');
    await writeFile(PGSERVICEFILE, '[fan]\nhost=db.example\nport=6432\nuser=one\ndbname=fan\nsslmode=require\n');
    const env = { PGSERVICEFILE, PGSSLMODE: 'disable' };
    expect(connectionOptions('postgres://?service=fan&user=two', env)).toMatchObject({
      host: 'db.example',
      port: 6432,
      user: 'two',
      database: 'fan',
      ssl: { ...VERIFIED, rejectUnauthorized: false },
    });
    expect(connectionOptions('postgres://u@db.example/d', { PGSSLMODE: 'verify-full' }).ssl).toEqual(VERIFIED);
    expect(() => connectionOptions('postgres://?service=other', env)).toThrow('has no service other');
  });

  it.each([
    ['sslmode=prefer', 'lets anybody on the way turn TLS off'],
    ['sslmode=on', 'sslmode must be one of disable, require, verify-ca, verify-full'],
    ['ssl=yes', 'ssl must be true or false'],
    ['sslmode=verify-ca', 'sslrootcert'],
    ['sslmode=verify-full&sslrootcert=/nowhere/ca.pem', '/nowhere/ca.pem'],
    ['sslnegotiation=direct', 'sslnegotiation is not a parameter that this service knows'],
    ['service=fan', 'can’t be read'],
  ])('%s is refused, in words and without the password', (query, words) => {
    const read = () =>
      connectionOptions(`postgres://u:verysecret@db.example/d?${query}`, { PGSERVICEFILE: '/nowhere' });
    expect(read).toThrow(words);
    expect(read).not.toThrow('verysecret');
  });

  it.each(['mysql://u@h/d', 'db.example', ''])('%j is no database', (url) => {
    expect(() => connectionOptions(url, {})).toThrow('must be a URL like postgres://user@host/database');
  });
});

describe('in production', () => {
  it.each([
    'postgres://u@localhost/d',
    'postgres://u@127.0.0.1/d',
    'postgres://u@[::1]/d',
    'postgres://u@/d?host=/run/postgresql',
    'postgres://u@db.example/d?sslmode=verify-full',
    'postgres://u@db.example/d?sslmode=disable',
  ])('%s is on this machine, has TLS, or plainly has none', (url) => {
    expect(tlsFault(url, {})).toBeUndefined();
  });

  it.each(['db.example', '127.example'])('a server elsewhere, as %s, needs TLS', (host) => {
    expect(tlsFault(`postgres://u@${host}/d`, {})).toContain('add sslmode=verify-full');
  });
});
