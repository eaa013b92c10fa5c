import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface CopyTextProps {
  text: string;
  /** What it is, before it and for those who hear the button: "Copy client_id". */
  label: string;
  /** Whether the label is shown too. */
  labelled?: boolean;
}

/** An identifier or another text that people carry elsewhere: in full, with a button that copies it. */
export function CopyText({ text, label, labelled = true }: CopyTextProps) {
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

/** The button alone. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
          <ActionIcon
            variant="subtle"
            size="sm"
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
