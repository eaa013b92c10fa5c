import { StateMark, type Tone } from '../parts/marks.tsx';

const STATES = {
  ISSUED: { label: 'Issued', tone: 'good' },
  WAITING: { label: 'Not onchain yet', tone: 'waiting' },
  REVOKED: { label: 'Revoked', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: Tone }>;

export type PermitState = keyof typeof STATES;

export const PERMIT_STATE_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({ value, label }));

/** The state of a permit. */
export function PermitStateMark({ state }: { state: PermitState }) {
  const { label, tone } = STATES[state];
  return <StateMark tone={tone}>{label}</StateMark>;
}
