import { expect, it } from 'vitest';
import { isPublicAddress, publicFetch } from '../../../src/platform/public-fetch.ts';

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  'fc00::1',
  'fe80::1',
  'ff02::1',
  'not an address',
])('%s is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(['1.1.1.1', '2606:4700::1111', '::ffff:1.1.1.1'])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  'http://example.com/',
  'https://127.0.0.1:1/',
  'https://[::1]:1/',
  'https://2130706433:1/',
  'https://localhost/',
])('does not call %s', async (url) => {
  const error = await publicFetch(url, {}).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  const cause = (error as Error).cause as Error;
  expect(`${cause?.message}`).toMatch(/not a public/);
});
