import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { redactMessage } from '../../../src/activity/redact-message.ts';
import { newId } from '../../../src/identifier/type-id.ts';

const random = (encoding: 'hex' | 'base64' | 'base64url', bytes = 32) => randomBytes(bytes).toString(encoding);

describe('messages of the request log', () => {
  it.each([
    ['an authorization code', () => `ac_${random('base64url')}`],
    ['a refresh token', () => `rt_${random('base64url')}`],
    ['a staff token', () => `st_${random('base64url')}`],
    ['a JWT', () => `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.${random('base64url', 256)}`],
    ['a part of a JWT', () => `eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ`],
    ['a verifier', () => random('base64url')],
    ['hex', () => random('hex')],
    ['base64', () => random('base64', 48)],
    ['a short secret', () => `${random('hex', 10)}a1`],
    ['a phone number', () => '+4915112345678'],
    ['a phone number with gaps', () => '+1 (415) 555-0132'],
  ])('%s is left out, wherever it stands', (_, make) => {
    for (let round = 0; round < 50; round++) {
      const secret = make();
      for (const message of [
        `There is no /tickets/${secret} here.`,
        `there is no /${secret} here`,
        `${secret} must not be given more than once`,
        `must not have the field ${secret}, b`,
        `"${secret}"`,
        `x=${secret}&y`,
        secret,
      ]) {
        const kept = redactMessage(message);
        expect(kept).not.toContain(secret);
        expect(kept).not.toContain(secret.slice(-8));
        expect(kept).toContain('…');
      }
    }
  });

  it('a phone number is left out of a path also where it is percent-encoded or has no plus', () => {
    for (const path of [
      '/fans/%2B4915112345678',
      '/fans/4915112345678',
      '/fans/004915112345678',
      '/fans?p=4915112345678',
    ])
      expect(redactMessage(`There is no ${path} here.`)).not.toMatch(/\d{5}/);
  });

  it.each([
    'code is invalid or expired',
    'transactions[0]: only legacy and version 0 transactions are known (version 42)',
    'Content-Type must be application/x-www-form-urlencoded.',
    'The access token does not include the required scope fan:listings:write.',
    'tickets[3].tx: the compute unit price stays within the cap (50000000000 micro-lamports, cap 10000000)',
    'transactions[0]: a listing names a marketplace that can sign the sale: no program, and no account of one',
    'Too many requests; try again in 59 s.',
    'There is no /v1/tickets here.',
    'transactions must be a list of 1 to 4 strings',
  ])('what our rules say stays as it is: %s', (message) => {
    expect(redactMessage(message)).toBe(message);
  });

  it('addresses, identifiers and request IDs stay: support needs them, and they are no secrets', () => {
    const names = [bs58.encode(randomBytes(32)), newId('client'), newId('usr'), crypto.randomUUID()];
    for (const name of names)
      expect(redactMessage(`instruction 1 calls ${name}.`)).toBe(`instruction 1 calls ${name}.`);
  });

  it('the host of a URL stays, and a secret in its path does not', () => {
    expect(redactMessage('Sent: https://shop-7f3a9c2-team42.preview.example/cb')).toBe(
      'Sent: https://shop-7f3a9c2-team42.preview.example/cb',
    );
    const secret = random('hex');
    expect(redactMessage(`Sent: https://a1.example/${secret}/cb`)).toBe('Sent: https://a1.example/…/cb');
    expect(redactMessage(`There is no //${secret} here.`)).not.toContain(secret);
  });

  it('500 characters are kept, without what the database can not store', () => {
    expect(redactMessage('a b '.repeat(10_000))).toHaveLength(500);
    expect(redactMessage('a\0b \ud800c')).toBe('ab \ufffdc');
    const secret = random('hex', 600);
    expect(redactMessage(`${'word '.repeat(98)}${secret}`)).not.toMatch(/[0-9a-f]{10}/);
  });
});
