import { Button, CloseButton, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IdChip } from './id-chip.tsx';
import type { List } from './use-list.ts';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

/** Searches as it is typed, a moment after the last key. `/` brings the focus here. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((next: string) => {
    sent.current = next;
    onChange(next);
  }, 250);
  useEffect(() => {
    // the address changed by another way than typing here: back, a link, "clear"
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  const change = (next: string) => {
    setText(next);
    send(next.trim());
  };
  return (
    <TextInput
      type="search"
      data-list-search
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => change('')} />}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      className="search-field"
    />
  );
}

interface FilterSelectProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** One filter of a list; nothing chosen means all. */
export function FilterSelect({ label, value, options, onChange }: FilterSelectProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={[...options]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      clearable
      clearButtonProps={{ 'aria-label': `${label}: all` }}
      className="filter-select"
      comboboxProps={{ shadow: 'md' }}
    />
  );
}

interface IdFilterProps {
  /** "Fan". */
  label: string;
  /** Nothing is shown where it is empty. */
  id: string;
  onRemove: () => void;
}

/** A filter that a link of another view has set, and that can only be taken away here. */
export function IdFilter({ label, id, onRemove }: IdFilterProps) {
  if (id === '') return null;
  return (
    <span className="id-filter">
      {label} <IdChip id={id} />
      <CloseButton size="sm" aria-label={`${label}: all`} onClick={onRemove} />
    </span>
  );
}

interface ListToolbarProps {
  list: Pick<List<string>, 'isFiltered' | 'clear'>;
  children: ReactNode;
}

/** Above a list: its search and its filters. */
export function ListToolbar({ list, children }: ListToolbarProps) {
  return (
    <Group gap="xs" role="search">
      {children}
      {list.isFiltered && (
        <Button variant="subtle" onClick={list.clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}
