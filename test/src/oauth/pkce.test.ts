import { describe, expect, it } from 'vitest';
import { challengeOf, isCodeChallenge, isCodeVerifier } from '../../../src/oauth/pkce.ts';

it('RFC 7636 appendix B: the challenge of the example verifier', () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
});

describe('spec §5.5: code_verifier', () => {
  it.each([43, 44, 127, 128])('may have %i characters', (length) => {
    expect(isCodeVerifier('a'.repeat(length))).toBe(true);
  });

  it.each([0, 1, 42, 129, 4096])('may not have %i characters', (length) => {
    expect(isCodeVerifier('a'.repeat(length))).toBe(false);
  });

  it('may have every unreserved character', () => {
    expect(isCodeVerifier('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')).toBe(true);
  });

  it.each([' ', '+', '/', '=', '!', '%', '\n', '\0', 'é', 'Ａ', '💳'])('may not have %j', (character) => {
    expect(isCodeVerifier('a'.repeat(50) + character)).toBe(false);
    expect(isCodeVerifier(character + 'a'.repeat(50))).toBe(false);
  });
});

describe('RFC 7636 §4.2: code_challenge', () => {
  it('is the base64url of any 32 bytes', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      expect(isCodeChallenge(Buffer.alloc(32, byte).toString('base64url'))).toBe(true);
    }
  });

  it.each([
    ['31 bytes', Buffer.alloc(31).toString('base64url')],
    ['33 bytes', Buffer.alloc(33).toString('base64url')],
    ['padding', Buffer.alloc(32).toString('base64')],
    ['the other alphabet', Buffer.alloc(32, 0xff).toString('base64').slice(0, 43)],
    ['43 characters whose last carries more than four bits', `${'A'.repeat(42)}B`],
    ['hex', Buffer.alloc(32).toString('hex')],
    ['a line end', `${'A'.repeat(43)}\n`],
  ])('is not %s', (_, challenge) => {
    expect(isCodeChallenge(challenge)).toBe(false);
  });
});
