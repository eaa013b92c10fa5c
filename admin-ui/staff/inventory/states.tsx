import { Code, Stack, Text } from '@mantine/core';
import { Moment, StateMark, statesOf } from '../../kit/parts/values.tsx';
import { PERMIT_STATE_OPTIONS, type PermitState, PermitStateMark } from '../../kit/sandbox/permits.tsx';
import { inSol } from '../fan/tickets.tsx';

export const EVENT_STATE_OPTIONS = [
  { value: 'SCHEDULED', label: 'Scheduled' },
  { value: 'OVER', label: 'Over' },
  { value: 'CANCELLED', label: 'Cancelled' },
];

interface EventStateProps {
  event: { status: 'SCHEDULED' | 'CANCELLED'; endsAt: string; closedAt: string | null };
}

/** Whether an event takes place, and whether it is over. One that was closed onchain can't be put off any more. */
export function EventStateMark({ event }: EventStateProps) {
  if (event.status === 'CANCELLED') return <StateMark tone="bad">Cancelled</StateMark>;
  if (new Date(event.endsAt).getTime() < Date.now()) return <StateMark tone="quiet">Over</StateMark>;
  if (event.closedAt !== null) return <StateMark tone="bad">Closed</StateMark>;
  return <StateMark tone="good">Scheduled</StateMark>;
}

export const { Mark: TicketStatusMark, options: TICKET_STATUS_OPTIONS } = statesOf({
  VALID: ['Valid', 'good'],
  REFUNDED: ['Refunded', 'bad'],
  VOID: ['Void', 'bad'],
  USED: ['Used', 'quiet'],
});

/** The filter's value for permits that the cluster refused, which is not a state of its own. */
export const SET_ASIDE = 'SET_ASIDE';
const SET_ASIDE_LABEL = 'Set aside';

export const PERMIT_OPTIONS = [...PERMIT_STATE_OPTIONS, { value: SET_ASIDE, label: SET_ASIDE_LABEL }];

/** The filter as the service's input. */
export function permitFilter(value: string | null): { state: PermitState | null; setAside: boolean | null } {
  return value === SET_ASIDE ? { state: null, setAside: true } : { state: value as PermitState | null, setAside: null };
}

interface PermitProgressProps {
  permit: {
    state: PermitState;
    closedAt: string | null;
    waiting: { isSetAside: boolean; reason: string | null; retryAt: string | null } | null;
  };
}

/** The state of a permit; if the cluster refused it, why, and when it is tried again. */
export function PermitProgress({ permit: { state, closedAt, waiting } }: PermitProgressProps) {
  if (closedAt !== null) return <StateMark tone="quiet">Closed</StateMark>;
  if (state === 'WAITING' && waiting?.retryAt === null) return <StateMark tone="quiet">Not needed yet</StateMark>;
  if (state !== 'WAITING' || !waiting?.isSetAside) return <PermitStateMark state={state} />;
  return (
    <Stack gap={2} maw={320} miw={0}>
      <StateMark tone="bad">{SET_ASIDE_LABEL}</StateMark>
      {waiting.reason !== null && (
        <Text size="xs" c="dimmed" lineClamp={2} title={waiting.reason}>
          {waiting.reason}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        Next try: {waiting.retryAt !== null && <Moment at={waiting.retryAt} />}
      </Text>
    </Stack>
  );
}

/** In a list of permits: for how much one is on sale; nothing where it is not. */
export function OnSale({ listings }: { listings: readonly { price: string; outcome: 'SOLD' | 'CANCELLED' | null }[] }) {
  const open = listings.find(({ outcome }) => outcome === null);
  return open ? (
    <Text span size="xs" c="dimmed" className="one-line">
      On sale for {inSol(open.price)}
    </Text>
  ) : null;
}

/** `1,204`, or `10,000+`. */
export function figure({ count, more }: { count: number; more: boolean }): string {
  return `${count.toLocaleString('en')}${more ? '+' : ''}`;
}

/** In an empty list: how the company's systems bring things in. */
export function HowToImport({ what }: { what: string }) {
  return (
    <Stack gap="xs" align="center">
      <span>{what} come from the company’s own systems, in a file or by API. To import a file, run</span>
      <Code>npm run inventory -- import FILE</Code>
      <span>
        <code>docs/inventory.md</code> describes the rows.
      </span>
    </Stack>
  );
}

const RUNS = statesOf({
  RUNNING: ['Running', 'waiting'],
  FINISHED: ['Finished', 'good'],
  INTERRUPTED: ['Interrupted', 'bad'],
});

export const IMPORT_STATE_OPTIONS = RUNS.options;
export type ImportState = Parameters<typeof RUNS.Mark>[0]['state'];

/** A run that is over is good only where no row failed. */
export function ImportStateMark({ state, failed }: { state: ImportState; failed: number }) {
  if (state === 'FINISHED' && failed > 0) {
    return <StateMark tone="bad">{`Finished, ${failed.toLocaleString('en')} failed`}</StateMark>;
  }
  return <RUNS.Mark state={state} />;
}

/** How a file came in, in words: `API, NDJSON`. */
export function sourceOf({ source, format }: { source: string; format: string }): string {
  return `${source === 'cli' ? 'command' : 'API'}, ${format.toUpperCase()}`;
}

/** The name of a file as its caller gave it. */
export function nameOfRun({ fileName, startedAt }: { fileName: string | null; startedAt: string }): string {
  return fileName ?? `Import of ${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
}
