import { Group } from '@mantine/core';
import { CopyIcon } from './copy-text.tsx';

/** A short text of a row, with a button that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <Group gap={2} wrap="nowrap" component="span" className="monospace one-line">
      {text}
      <CopyIcon text={text} label={label} />
    </Group>
  );
}
