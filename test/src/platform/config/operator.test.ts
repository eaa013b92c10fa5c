import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../../src/platform/config/read-config.ts';
import { problems } from '../../../support/config-problems.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { png } from '../../partners/client/logo-images.ts';

const folder = await testFolder();

function file(name: string, bytes: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

describe('the operator in the configuration', () => {
  it('without any of it there is no name, no logo, no colour and no link', () => {
    expect(Object.values(readConfig({}).operator)).toEqual(Array(6).fill(undefined));
  });

  it('is read once, the logo with its bytes', () => {
    const image = png({ width: 120, height: 40 });
    const { operator } = readConfig({
      OPERATOR_NAME: '  Northern Tickets ',
      OPERATOR_LOGO: file('logo', image),
      OPERATOR_COLOR: '#C81E3C',
      OPERATOR_PRIVACY_URL: 'https://n.example/privacy?lang=en',
    });
    expect(operator).toMatchObject({
      name: 'Northern Tickets',
      logo: { kind: 'png', width: 120, height: 40, image },
      colour: '#c81e3c',
      privacyUrl: 'https://n.example/privacy?lang=en',
      termsUrl: undefined,
    });
  });

  it.each([
    ['OPERATOR_NAME', 'x'.repeat(61), 'must have 1 to 60 characters'],
    ['OPERATOR_NAME', '   ', 'must have 1 to 60 characters'],
    ['OPERATOR_NAME', 'a\u0007b', 'must have no control characters'],
    ['OPERATOR_COLOR', 'teal', 'must be a color: # and 6 hexadecimal digits'],
    ['OPERATOR_COLOR', '#0f5', 'must be a color: # and 6 hexadecimal digits'],
    ['OPERATOR_COLOR', '#0f5c4d;}', 'must be a color: # and 6 hexadecimal digits'],
    ['OPERATOR_PRIVACY_URL', 'http://n.example/privacy', 'must be an https URL'],
    ['OPERATOR_TERMS_URL', 'javascript:alert(1)', 'must be an https URL'],
    ['OPERATOR_HELP_URL', '/help', 'must be an https URL'],
    ['OPERATOR_HELP_URL', 'https://a:b@n.example', 'must not contain a user name or password'],
    ['OPERATOR_HELP_URL', 'https://n.example/{id}', 'has a character that a URI can not have (U+007B)'],
    ['OPERATOR_NAME', 'Nоrthgate', 'has letters of several scripts'],
    ['OPERATOR_COLOUR', '#0f5c4d', 'unknown variable'],
  ])('%s=%j stops the start', (name, value, why) => {
    expect(problems({ [name]: value })).toEqual([expect.stringContaining(`  ${name}: ${why}`)]);
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  it.each([
    ['a file that is not there', () => join(folder, 'nothing.png'), "can't be read (ENOENT)"],
    ['a folder', () => folder, "can't be read (EISDIR)"],
    // by the rules of `logo.test.ts`
    ['an SVG, which may have scripts', () => file('logo.svg', svg), 'must be a PNG, JPEG or WebP image'],
    ['one of more than 32 KiB', () => file('big.png', png({ padding: 33_000 })), 'bytes; 32,768 are allowed'],
  ])('OPERATOR_LOGO as %s stops the start', (_, path, why) => {
    const [problem, ...more] = problems({ OPERATOR_LOGO: path() });
    expect(problem).toMatch(/^ {2}OPERATOR_LOGO: the (file|image) /);
    expect([problem, more]).toEqual([expect.stringContaining(why), []]);
  });
});

it('pages of a process may link to its own surfaces, and to those whose address was configured', () => {
  const known = (env: Record<string, string>) => [...readConfig(env).knownSurfaces].sort();
  expect(known({ SURFACES: 'auth' })).toEqual(['auth']);
  expect(known({ SURFACES: 'auth', LOGIN_URL: 'https://login.example' })).toEqual(['auth', 'login']);
});
