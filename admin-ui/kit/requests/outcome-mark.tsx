import { StateMark } from '../parts/marks.tsx';

/** The outcome of an entry, as the stable code. */
export function OutcomeMark({ outcome }: { outcome: string }) {
  return <StateMark tone={outcome === 'ok' ? 'good' : 'bad'}>{outcome}</StateMark>;
}
