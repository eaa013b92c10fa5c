import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';

/** A moment in words ("3 min. ago"), exact and in UTC on hover. */
export function Moment({ at }: { at: string }) {
  const now = useNow();
  return (
    <Text component="time" dateTime={at} title={inUtc(at)} span inherit className="moment">
      {relative(new Date(at).getTime() - now)}
    </Text>
  );
}

/** `21 Nov 2026, 18:04:05 UTC` */
export function inUtc(at: string): string {
  return `${UTC.format(new Date(at))} UTC`;
}

/** `Sat, 5 Dec 2026, 20:00 CET`: a time of an event, in its zone. @param timeZone IANA name */
export function inZone(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  return format.format(new Date(at));
}

const UTC = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** @param ms negative in the past */
export function relative(ms: number): string {
  const [unit, length] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? ['second', 1000];
  if (unit === 'second') return Math.abs(ms) < 45_000 ? 'just now' : RELATIVE.format(Math.sign(ms), 'minute');
  return RELATIVE.format(Math.trunc(ms / length), unit);
}

/** The present time, updated every half minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
