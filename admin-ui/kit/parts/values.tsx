import { CheckIcon, Square2StackIcon } from '@heroicons/react/24/outline';
import { Anchor, Box, Button, type ButtonProps, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { CopyIcon, type CopyTextProps } from './text.tsx';

/** Names and values; one whose value is undefined is left out. */
export function Facts({ of }: { of: Record<string, ReactNode> }) {
  return (
    <dl className="facts">
      {Object.entries(of).map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface CodeBlockProps extends CopyTextProps {
  /** In pixels; more scrolls. */
  maxHeight?: number;
  /** Whether long lines are broken: for one line that is read whole. */
  wraps?: boolean;
}

/** Lines to copy, in an area that also scrolls by keyboard (WCAG 2.2 §2.1.1). */
export function CodeBlock({ text, label, maxHeight, wraps = false }: CodeBlockProps) {
  const height = maxHeight === undefined ? {} : { mah: maxHeight };
  return (
    <Box pos="relative">
      <Code
        block
        role="region"
        aria-label={label}
        tabIndex={0}
        lh={1.6}
        bd="1px solid var(--line)"
        bdrs={8}
        bg="var(--ground)"
        {...height}
        className={wraps ? 'code-block wrapped' : 'code-block'}
      >
        {text}
      </Code>
      <Box component="span" pos="absolute" top={6} right={6} p={2} bg="var(--ground)" bdrs="sm">
        <CopyIcon text={text} label={label} />
      </Box>
    </Box>
  );
}

interface CopyWithButtonProps extends ButtonProps, CopyTextProps {
  /** What the button says for a moment afterwards. */
  copied?: string;
}

/** A button that says what it copies. */
export function CopyWithButton({ text, label, copied = 'Copied', ...button }: CopyWithButtonProps) {
  return (
    <CopyButton value={text} timeout={2000}>
      {({ copied: isCopied, copy }) => {
        const Icon = isCopied ? CheckIcon : Square2StackIcon;
        return (
          <Button variant="default" leftSection={<Icon width={16} />} onClick={copy} {...button}>
            {isCopied ? copied : label}
          </Button>
        );
      }}
    </CopyButton>
  );
}

interface IdChipProps {
  id: string;
  /** The view of what it identifies. */
  href?: string;
}

/** A shortened identifier, whole on hover, for screen readers and when copied. */
export function IdChip({ id, href }: IdChipProps) {
  const short = (
    <Text span ff="monospace" size="xs">
      <span aria-hidden>{shortened(id)}</span>
      <span className="visually-hidden">{id}</span>
    </Text>
  );
  return (
    <Group gap={2} wrap="nowrap" className="one-line">
      <Tooltip label={id}>
        {href === undefined ? (
          <span>{short}</span>
        ) : (
          <Anchor component={Link} href={href} underline="hover">
            {short}
          </Anchor>
        )}
      </Tooltip>
      <CopyIcon text={id} label={id.split('_')[0] ?? 'id'} />
    </Group>
  );
}

/** `client_…8k3f2q`: identifiers begin with the time, so their ends distinguish them. */
export function shortened(id: string): string {
  if (id.length <= 18) return id;
  const separator = id.lastIndexOf('_');
  return separator < 0 ? `${id.slice(0, 4)}…${id.slice(-6)}` : `${id.slice(0, separator + 1)}…${id.slice(-6)}`;
}

/** A moment in words ("3 min. ago"), exact and in UTC on hover. */
export function Moment({ at }: { at: string }) {
  const now = useNow();
  return (
    <Text component="time" dateTime={at} title={inUtc(at)} span inherit className="one-line">
      {relative(new Date(at).getTime() - now)}
    </Text>
  );
}

/** `21 Nov 2026, 18:04:05 UTC` */
export function inUtc(at: string): string {
  return `${UTC.format(new Date(at))} UTC`;
}

/** `Sat, 5 Dec 2026, 20:00 CET`: a time of an event, in its zone. @param timeZone IANA name */
export function inZone(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  return format.format(new Date(at));
}

const UTC = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** @param ms negative in the past */
function relative(ms: number): string {
  const [unit, length] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? ['second', 1000];
  if (unit === 'second') return Math.abs(ms) < 45_000 ? 'just now' : RELATIVE.format(Math.sign(ms), 'minute');
  return RELATIVE.format(Math.trunc(ms / length), unit);
}

/** The present time, updated every half minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
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

/** The states that something can be in: the mark of one, and all of them as options of a filter. */
export function statesOf<State extends string>(states: Record<State, readonly [label: string, tone: Tone]>) {
  return {
    Mark: ({ state }: { state: State }) => <StateMark tone={states[state][1]}>{states[state][0]}</StateMark>,
    options: Object.entries<readonly [string, Tone]>(states).map(([value, [label]]) => ({ value, label })),
  };
}

export const MODE_OPTIONS = [
  { value: 'SANDBOX', label: 'Sandbox' },
  { value: 'PRODUCTION', label: 'Production' },
];
