import { ActionIcon, Box, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface CopyTextProps {
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
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
