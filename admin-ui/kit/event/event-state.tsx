import { StateMark } from '../parts/values.tsx';

export const WHEN_OPTIONS = [
  { value: 'no', label: 'Upcoming' },
  { value: 'yes', label: 'Over' },
];

/** The state of a test event: a new one is registered on the test network a moment after it was made. */
export function EventState({ endsAt, registeredAt }: { endsAt: string; registeredAt: string | null }) {
  if (new Date(endsAt).getTime() < Date.now()) return <StateMark tone="quiet">over</StateMark>;
  if (registeredAt === null) return <StateMark tone="waiting">not onchain yet</StateMark>;
  return <StateMark tone="good">upcoming</StateMark>;
}
