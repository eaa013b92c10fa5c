import { PlusIcon, TrashIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Button, Group, Input, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

/** A field for a list, of which each entry has a line. */
export interface FieldOfLines {
  value: string[];
  onChange: (lines: string[]) => void;
  /** What is wrong with each, as the end of a sentence: "has a fragment". */
  faults: readonly (string | undefined)[];
  /** Of the list as a whole. */
  error?: ReactNode;
}

interface LinesFieldProps extends FieldOfLines, Pick<TextInputProps, 'placeholder' | 'inputMode'> {
  title: string;
  /** What a line is, within a sentence. */
  entry: string;
  hint: string;
}

/** Texts for machines, each in a line of its own with its fault under it. Pasting several lines adds several. */
export function LinesField({ value, onChange, faults, error, title, entry, hint, ...input }: LinesFieldProps) {
  const rows = value.length === 0 ? [''] : value;
  const list = useRef<HTMLDivElement>(null);
  const wanted = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    list.current?.querySelectorAll('input')[Math.min(wanted.current, rows.length - 1)]?.focus();
    wanted.current = undefined;
  });

  const replace = (index: number, values: string[]) => {
    if (values.length > 1) wanted.current = index + values.length - 1;
    onChange(rows.flatMap((line, at) => (at === index ? values : [line])));
  };
  const add = () => {
    wanted.current = rows.length;
    onChange([...rows, '']);
  };
  const remove = (index: number) => {
    wanted.current = Math.max(0, index - 1);
    onChange(rows.filter((_, at) => at !== index));
  };

  return (
    <Stack gap="xs" role="group" aria-label={title} ref={list}>
      {rows.map((line, index) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place; two may hold the same text
          key={index}
          gap="xs"
          align="flex-start"
          wrap="nowrap"
        >
          <TextInput
            {...input}
            aria-label={`${entry[0]?.toUpperCase()}${entry.slice(1)} ${index + 1}`}
            flex={1}
            miw={0}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            value={line}
            error={faults[index] === undefined ? undefined : `It ${faults[index]}.`}
            onChange={(event) => replace(index, [event.currentTarget.value])}
            onPaste={(event) => {
              const lines = event.clipboardData.getData('text').split(/\s+/).filter(Boolean);
              if (lines.length < 2) return;
              event.preventDefault();
              replace(index, lines);
            }}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove ${entry} ${index + 1}`}
            disabled={rows.length === 1}
            onClick={() => remove(index)}
          >
            <TrashIcon width={16} />
          </ActionIcon>
        </Group>
      ))}
      {typeof error === 'string' && <Input.Error>{error}</Input.Error>}
      <Group justify="space-between">
        <Button variant="subtle" size="xs" leftSection={<PlusIcon width={14} />} onClick={add}>
          Add another
        </Button>
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </Group>
    </Stack>
  );
}
