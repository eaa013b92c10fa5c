import { Counter } from 'prom-client';

/** Why a notification is dead: nobody took it in time, the client refused it in a poll, or the service could not write it. */
const REASONS = ['expired', 'refused', 'unreadable'] as const;

const dead = new Counter({
  name: 'notifications_dead_total',
  help: 'Notifications that this process has given up, by reason (expired, refused, unreadable)',
  labelNames: ['reason'],
});
// from the first scrape on: what grows from nothing is no increase
for (const reason of REASONS) dead.inc({ reason }, 0);

/** Counts notifications that are dead from now on. */
export function countDead(reason: (typeof REASONS)[number], count: number): void {
  dead.inc({ reason }, count);
}
