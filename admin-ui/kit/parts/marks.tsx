import { Text } from '@mantine/core';
import { IconFlask2, IconWorld } from '@tabler/icons-react';

/** Sandbox or production. The two differ in icon, colour and word, so that they are not confused. */
export function ModeMark({ mode }: { mode: 'SANDBOX' | 'PRODUCTION' }) {
  const sandbox = mode === 'SANDBOX';
  const Icon = sandbox ? IconFlask2 : IconWorld;
  return (
    <span className={`mode-mark ${sandbox ? 'sandbox' : 'production'}`}>
      <Icon size={13} aria-hidden />
      {sandbox ? 'Sandbox' : 'Production'}
    </span>
  );
}

export type Tone = 'good' | 'waiting' | 'bad' | 'quiet';

/** A state in a word, with a dot in its colour. */
export function StateMark({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Text span className={`state-mark ${tone}`} size="sm">
      {children}
    </Text>
  );
}

export const MODE_OPTIONS = [
  { value: 'SANDBOX', label: 'Sandbox' },
  { value: 'PRODUCTION', label: 'Production' },
];
