import { CloseButton, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { IdChip } from './id-chip.tsx';
import type { Filter } from './use-list.tsx';

/** A text that is searched for. */
export const searchFilter =
  (label: string, placeholder: string): Filter =>
  (field) => <SearchField label={label} placeholder={placeholder} {...field} />;

/** One of some values; nothing chosen means all. */
export const selectFilter =
  (label: string, options: readonly { value: string; label: string }[]): Filter =>
  ({ value, onChange }) => (
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

/** An identifier that a link of another view has set, and that can only be removed here. */
export const idFilter =
  (label: string): Filter =>
  ({ value, onChange }) =>
    value !== '' && (
      <span className="id-filter">
        {label} <IdChip id={value} />
        <CloseButton size="sm" aria-label={`${label}: all`} onClick={() => onChange('')} />
      </span>
    );

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

/** Searches as it is typed, a moment after the last key. `/` brings the focus here. */
function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
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
