import { Anchor, Group, Text, Tooltip } from '@mantine/core';
import { Link } from 'wouter';
import { CopyIcon } from './copy-text.tsx';

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
    <Group gap={2} wrap="nowrap" className="id-chip">
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

/** `client_…8k3f2q`: identifiers begin with the time, so their ends tell them apart. */
export function shortened(id: string): string {
  if (id.length <= 18) return id;
  const separator = id.lastIndexOf('_');
  return separator < 0 ? `${id.slice(0, 4)}…${id.slice(-6)}` : `${id.slice(0, separator + 1)}…${id.slice(-6)}`;
}
