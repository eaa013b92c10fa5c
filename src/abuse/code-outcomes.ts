import { Counter } from 'prom-client';

/** What became of a code that was asked for. */
const OUTCOMES = [
  'sent',
  'verified',
  'failed',
  'address_limit',
  'phone_limit',
  'range_limit',
  'client_limit',
  'breaker',
  'budget',
] as const;
export type CodeOutcome = (typeof OUTCOMES)[number];

const codes = new Counter({
  name: 'verification_codes_total',
  help: 'Codes asked for by production sign-ins, by what became of them',
  labelNames: ['outcome'],
});
// a series that begins with its first event hides that event from rates
for (const outcome of OUTCOMES) codes.inc({ outcome }, 0);

/** Counts it in the metrics of this process. */
export function countOutcome(outcome: CodeOutcome): void {
  codes.inc({ outcome });
}
