import { StateMark, type Tone } from '../../kit/parts/marks.tsx';

const STATES = {
  RUNNING: { label: 'Running', tone: 'waiting' },
  FINISHED: { label: 'Finished', tone: 'good' },
  INTERRUPTED: { label: 'Interrupted', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: Tone }>;

export type ImportState = keyof typeof STATES;

export const IMPORT_STATE_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({ value, label }));

/** A run that is over is good only where no row failed. */
export function ImportStateMark({ state, failed }: { state: ImportState; failed: number }) {
  const { label, tone } = STATES[state];
  if (state === 'FINISHED' && failed > 0) {
    return <StateMark tone="bad">{`Finished, ${failed.toLocaleString('en')} failed`}</StateMark>;
  }
  return <StateMark tone={tone}>{label}</StateMark>;
}

/** How a file came in, in words: `API, NDJSON`. */
export function sourceOf({ source, format }: { source: string; format: string }): string {
  return `${source === 'cli' ? 'command' : 'API'}, ${format.toUpperCase()}`;
}

/** The name of a file as its caller gave it. */
export function nameOfRun({ fileName, startedAt }: { fileName: string | null; startedAt: string }): string {
  return fileName ?? `Import of ${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
}
