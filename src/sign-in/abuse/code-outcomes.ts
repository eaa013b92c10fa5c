import { Counter } from 'prom-client';

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
  help: 'Codes requested by production sign-ins, by outcome',
  labelNames: ['outcome'],
});
// each series begins at 0, because Prometheus' rate() would miss an event that begins it
for (const outcome of OUTCOMES) codes.inc({ outcome }, 0);

export function countOutcome(outcome: CodeOutcome): void {
  codes.inc({ outcome });
}
