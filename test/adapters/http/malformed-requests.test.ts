import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { formsFound } from '../../support/find-in-log.ts';
import { testApp } from '../../support/test-app.ts';

let lines: string[] = [];
const app = await testApp({ logTo: { write: (line) => void lines.push(line) } });

const SECRET = 'S3cr3t-of-this-test-0123456789';
const CREDENTIALS = `Authorization: Bearer ${SECRET}\r\nCookie: fan_browser=br_${SECRET}; fan_staff=${SECRET}\r\n`;
const FORM = `grant_type=refresh_token&refresh_token=rt_${SECRET}`;
const TYPE = 'Content-Type: application/x-www-form-urlencoded\r\n';

const TARGETS = [
  ...['/oauth2/token', '/oauth2/authorize', '/oauth2/userinfo', '/oauth2/revoke', '/.well-known/jwks.json'],
  ...['/fan/tickets', '/fan/authorizations', '/fan/claims/execute', '/fan/openapi.json', '/idl.json', '/clusters.json'],
  ...['/login', '/login/trpc/phone.sendCode', '/login/apps', '/login/apps/trpc/portal.state', '/login/inbox'],
  ...[
    '/admin',
    '/admin/graphql',
    '/admin/auth/link',
    '/admin/audit.csv',
    '/playground',
    '/healthz',
    '/readyz',
    '/none',
  ],
];

/** Malformed requests, each with a secret in its header fields and its body. */
const SHAPES: Record<string, (target: string) => string | Buffer> = {
  'a body longer than Content-Length': (target) =>
    `POST ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}${TYPE}Content-Length: 5\r\n\r\n${FORM}`,
  'a body longer than Content-Length, of GET': (target) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}${TYPE}Content-Length: 5\r\n\r\n${FORM}`,
  'a body of GET without Content-Length': (target) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}${TYPE}\r\n${FORM}`,
  'a bad chunk': (target) =>
    `POST ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}${TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n${FORM}\r\n0\r\n\r\n`,
  'a chunk longer than it says': (target) =>
    `POST ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}${TYPE}Transfer-Encoding: chunked\r\n\r\n3\r\n${FORM}\r\n0\r\n\r\n`,
  'Transfer-Encoding: identity': (target) =>
    `POST ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}${TYPE}Transfer-Encoding: identity\r\n\r\n${FORM}`,
  'both Content-Length and Transfer-Encoding': (target) =>
    `POST ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}${TYPE}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${FORM}`,
  'two Content-Lengths': (target) =>
    `POST ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}Content-Length: 5\r\nContent-Length: 6\r\n\r\n${FORM}`,
  'a header line without a colon': (target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}${SECRET}\r\n\r\n`,
  'a header line with a NUL': (target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}X: \0${SECRET}\r\n\r\n`,
  'a folded header line': (target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}X: a\r\n  ${SECRET}\r\n\r\n`,
  'another version of HTTP': (target) => `GET ${target} HTTP/9.7\r\nHost: x\r\n${CREDENTIALS}\r\n`,
  'a method that nobody knows': (target) => `FOO ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}\r\n`,
  'a request line of one word': () => `${SECRET}\r\n${CREDENTIALS}\r\n`,
  'garbage after a request': (target) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}\r\n\x01\x02${SECRET}\r\n\r\n`,
  'header fields of 100 kB': (target) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}X: ${'x'.repeat(100_000)}\r\n\r\n`,
  'a URL of 100 kB': (target) =>
    `GET ${target}?${'x'.repeat(100_000)}&t=${SECRET} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}\r\n`,
  CONNECT: (target) => `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}\r\n${SECRET}`,
  'bytes of TLS': () =>
    Buffer.concat([Buffer.from([0x16, 3, 1, 0, 200, 1, 0]), Buffer.from(SECRET), Buffer.alloc(64, 9)]),
};

/** Sends bytes as they are, closing afterwards. @returns what came back */
async function send(bytes: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(app.origin).port), 'localhost');
  socket.on('error', () => {});
  socket.end(bytes);
  return Promise.race([text(socket).catch(() => ''), sleep(3_000).then(() => 'no end')]).finally(() =>
    socket.destroy(),
  );
}

/** Sends a part of an announced body and goes away. */
async function breakOff(target: string): Promise<void> {
  const socket = connect(Number(new URL(app.origin).port), 'localhost');
  socket.on('error', () => {});
  socket.write(`POST ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}${TYPE}Content-Length: 5000\r\n\r\n${FORM}`);
  await sleep(30);
  socket.resetAndDestroy();
  await sleep(30);
}

const levels = () => lines.map((line) => (JSON.parse(line) as { level: number }).level);
const DEBUG = 20;

describe('a malformed request', () => {
  it.each(Object.keys(SHAPES))('%s: no surface logs a secret of it, and none logs it above debug', async (name) => {
    lines = [];
    for (const target of TARGETS) {
      await send(SHAPES[name]?.(target) ?? '');
      expect(formsFound(lines.join(''), SECRET), target).toEqual([]);
      expect(
        lines.filter((line) => (JSON.parse(line) as { level: number }).level > DEBUG),
        target,
      ).toEqual([]);
    }
  });

  it('an upload that breaks off is no error', async () => {
    lines = [];
    for (const target of TARGETS) await breakOff(target);
    expect(levels().filter((level) => level > DEBUG)).toEqual([]);
    expect(formsFound(lines.join(''), SECRET)).toEqual([]);
  });
});

describe('the search of these tests', () => {
  const packet = Buffer.from(`GET / HTTP/1.1\r\nAuthorization: Bearer ${SECRET}\r\n\r\n`);
  it.each([
    ['text', packet.toString()],
    ['hex', packet.toString('hex')],
    ['byte array', JSON.stringify({ rawPacket: packet })],
    ['byte array', JSON.stringify({ rawPacket: new Uint8Array(packet) })],
    ...[0, 1, 2].map((skip) => ['base64', packet.subarray(skip).toString('base64')]),
    ...[0, 1, 2].map((skip) => ['base64url', packet.subarray(skip).toString('base64url')]),
  ])('finds a secret as %s', (form, log = '') => {
    expect(formsFound(log, SECRET)).toContain(form);
  });
});
