import { expect, it } from 'vitest';
import { isTimeZone } from '../../../../src/tickets/ticket/is-time-zone.ts';

it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Asia/Calcutta', 'Etc/GMT+5'])(
  'the IANA time zone %s',
  (name) => {
    expect(isTimeZone(name)).toBe(true);
  },
);

it.each([
  '',
  'Berlin',
  'europe/berlin',
  '+01:00',
  'Mars/Olympus',
  'Europe/Berlin\0',
  'Europe/../Berlin',
  `Europe/${'B'.repeat(70)}`,
])('not a time zone: %j', (name) => {
  expect(isTimeZone(name)).toBe(false);
});
