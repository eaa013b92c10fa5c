import { ActionIcon, Button, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';

interface RedirectUrisFieldProps {
  value: string[];
  onChange: (uris: string[]) => void;
  /** What is wrong with each, as the end of a sentence: "has a fragment". */
  faults: readonly (string | undefined)[];
  /** Of the list as a whole. */
  error?: ReactNode;
  mode: 'SANDBOX' | 'PRODUCTION';
}

const EXAMPLES = {
  SANDBOX: 'http://localhost:8080/callback',
  PRODUCTION: 'https://app.example.com/callback',
};

/** Redirect URIs, each in a line of its own with its fault under it. Pasting several lines adds several. */
export function RedirectUrisField({ value: uris, onChange, faults, error, mode }: RedirectUrisFieldProps) {
  const rows = uris.length === 0 ? [''] : uris;
  const list = useRef<HTMLDivElement>(null);
  const wanted = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    list.current?.querySelectorAll('input')[Math.min(wanted.current, rows.length - 1)]?.focus();
    wanted.current = undefined;
  });

  const replace = (index: number, values: string[]) => {
    if (values.length > 1) wanted.current = index + values.length - 1;
    onChange(rows.flatMap((uri, at) => (at === index ? values : [uri])));
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
    <Stack gap="xs" role="group" aria-label="Redirect URIs" ref={list}>
      {rows.map((uri, index) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place; two may hold the same text
          key={index}
          gap="xs"
          align="flex-start"
          wrap="nowrap"
        >
          <TextInput
            aria-label={`Redirect URI ${index + 1}`}
            placeholder={EXAMPLES[mode]}
            flex={1}
            miw={0}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            inputMode="url"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            value={uri}
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
            aria-label={`Remove redirect URI ${index + 1}`}
            disabled={rows.length === 1}
            onClick={() => remove(index)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {typeof error === 'string' && <Input.Error>{error}</Input.Error>}
      <Group justify="space-between">
        <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          Add another
        </Button>
        <Text size="xs" c="dimmed">
          Must match exactly. You can paste several at a time.
        </Text>
      </Group>
    </Stack>
  );
}
