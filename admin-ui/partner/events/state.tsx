import type { ReactNode } from 'react';
import { StateMark, type Tone } from '../../kit/parts/marks.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import type { EndpointData } from './document.ts';

const DISABLED: Readonly<Record<NonNullable<EndpointData['disabledReason']>, string>> = {
  PARTNER: 'Disabled',
  FAILING: 'Disabled after three days of failures',
  GONE: 'Disabled: it answered 410',
};

/** Whether an endpoint gets what it should. */
export function EndpointState({ endpoint }: { endpoint: EndpointData }) {
  const [tone, says] = stateOf(endpoint);
  return <StateMark tone={tone}>{says}</StateMark>;
}

function stateOf({ disabledAt, disabledReason, isPaused, failures }: EndpointData): [Tone, string] {
  if (disabledAt !== null) {
    return [disabledReason === 'PARTNER' ? 'quiet' : 'bad', DISABLED[disabledReason ?? 'PARTNER']];
  }
  if (isPaused) return ['waiting', 'Paused by the people who run this service; events wait'];
  return failures > 0
    ? ['bad', `Failing: ${failures === 1 ? 'the last attempt' : `the last ${failures} attempts`} failed`]
    : ['good', 'Enabled'];
}

/** What an endpoint got and what it is still to get, for `Facts`. */
export function deliveryFacts(endpoint: EndpointData): Record<string, ReactNode> {
  const { format, lastPolledAt, lastDeliveredAt, waiting, dead } = endpoint;
  const polls = format === 'SET_POLL';
  return {
    'Last poll': polls ? <LastTime at={lastPolledAt} /> : undefined,
    [polls ? 'Last acknowledgement' : 'Last delivery']: <LastTime at={lastDeliveredAt} />,
    [polls ? 'Waiting for a poll' : 'Waiting to be sent']: waiting.toLocaleString('en'),
    'Dead: given up': dead.toLocaleString('en'),
  };
}

function LastTime({ at }: { at: string | null }) {
  return at === null ? 'None yet' : <Moment at={at} />;
}

const STATES = {
  WAITING: { tone: 'waiting', label: 'Waiting' },
  DELIVERED: { tone: 'good', label: 'Delivered' },
  DEAD: { tone: 'bad', label: 'Dead' },
} as const satisfies Record<string, { tone: Tone; label: string }>;

export type NotificationStateName = keyof typeof STATES;

export const NOTIFICATION_STATE_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({ value, label }));

export function NotificationStateMark({ state }: { state: NotificationStateName }) {
  return <StateMark tone={STATES[state].tone}>{STATES[state].label}</StateMark>;
}
