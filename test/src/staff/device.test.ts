import { describe, expect, it } from 'vitest';
import { browserOf, networkKind, readDevice } from '../../../src/staff/device.ts';

describe('the browser of a session', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      'Chrome 131 on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.70',
      'Microsoft Edge 131 on Windows',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox 133 on Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Safari 18 on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari 18 on iOS',
    ],
  ])('%s is named by what people call it', (userAgent, name) => {
    expect(browserOf(userAgent)).toBe(name);
  });

  it('what names no browser has no name', () => {
    for (const userAgent of [null, 'curl-like', '-', '\u{1f600}']) expect(browserOf(userAgent)).toBeUndefined();
  });
});

describe('where a session is used', () => {
  it.each([
    ['127.0.0.1', 'this machine'],
    ['127.8.9.1', 'this machine'],
    ['::1', 'this machine'],
    ['::ffff:127.0.0.1', 'this machine'],
    ['10.1.2.3', 'private network'],
    ['172.31.0.1', 'private network'],
    ['172.32.0.1', undefined],
    ['192.168.178.20', 'private network'],
    ['fd00::1', 'private network'],
    ['fe80::1', 'private network'],
    ['203.0.113.7', undefined],
    ['2001:db8::1', undefined],
    ['not an address', undefined],
  ])('%s is of %s', (address, kind) => {
    expect(networkKind(address)).toBe(kind);
  });

  it('is kept in the form in which people read it; what is no address or time zone is left out', () => {
    expect(readDevice('::ffff:203.0.113.7', ' Some agent\0 ', 'Europe/Berlin')).toEqual({
      address: '203.0.113.7',
      userAgent: 'Some agent',
      timeZone: 'Europe/Berlin',
    });
    expect(readDevice('fe80::1%eth0', 'x'.repeat(900), 'America/Argentina/Buenos_Aires')).toEqual({
      address: 'fe80::1',
      userAgent: 'x'.repeat(300),
      timeZone: 'America/Argentina/Buenos_Aires',
    });
    for (const zone of ['', 'Mars/Olympus', '<b>', 'x'.repeat(61), "Europe/Berlin' --"]) {
      expect(readDevice('unix', '', zone)).toEqual({ address: null, userAgent: null, timeZone: null });
    }
  });
});
