import { CheckIcon, Square2StackIcon } from '@heroicons/react/24/outline';
import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

export interface CopyTextProps {
  text: string;
  /** What it is, for the accessible name of the button: "Copy client_id". */
  label: string;
  /** Whether the label is shown too. */
  labelled?: boolean;
}

/** An identifier or another text to take elsewhere: in full, with a button that copies it. */
export function CopyText({ text, label, labelled }: CopyTextProps) {
  return (
    <Group gap={4} wrap="nowrap" className="copy-text">
      {labelled && (
        <Text span size="sm" c="dimmed">
          {label}
        </Text>
      )}
      <Text span ff="monospace" size="xs" className="breakable">
        {text}
      </Text>
      <CopyIcon text={text} label={label} />
    </Group>
  );
}

/** A short text in a line, with a button that copies it. */
export function Copyable({ text, label }: CopyTextProps) {
  return (
    <Group gap={2} wrap="nowrap" component="span" ff="monospace" className="one-line">
      {text}
      <CopyIcon text={text} label={label} />
    </Group>
  );
}

/** The button alone. */
export function CopyIcon({ text, label }: CopyTextProps) {
  return (
    <CopyButton value={text} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
          <ActionIcon
            variant="subtle"
            size={24}
            color={copied ? 'ticket' : 'gray'}
            onClick={copy}
            aria-label={copied ? `${label} copied` : `Copy ${label}`}
          >
            {copied ? <CheckIcon width={14} /> : <Square2StackIcon width={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** Text of less weight: what is not there yet, or how something works. */
export function Quiet({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

/** As `Quiet`, smaller, within a line. */
export function Small({ children }: { children: ReactNode }) {
  return (
    <Text span size="xs" c="dimmed">
      {children}
    </Text>
  );
}
