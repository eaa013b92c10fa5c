import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

export interface Choice {
  value: string;
  label: string;
}

export interface Found {
  /** Always with the chosen one. */
  options: readonly Choice[];
  isFetching: boolean;
}

export interface FindSelectProps {
  label: string;
  description?: string;
  /** The id of the chosen one; empty where none is. */
  value: string;
  onChange: (id: string) => void;
  error?: string | undefined;
  required?: boolean;
  /** Whether the focus begins here, in a dialog. */
  isFirst?: boolean;
  /** Shown where nothing has the text. */
  nothingFound: string;
  /** Asks the service for what matches a text, and for the chosen one. */
  useFound: (search: string, chosen: string) => Found;
  /** A filter above a list: its label is the placeholder. */
  isFilter?: boolean;
}

/** Chooses one of thousands by a part of its name. */
export function FindSelect({
  useFound,
  isFilter,
  isFirst,
  nothingFound,
  label,
  description,
  ...field
}: FindSelectProps) {
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 200);
  const { options, isFetching } = useFound(asked, field.value);
  const appearance = isFilter
    ? {
        'aria-label': label,
        placeholder: label,
        className: 'filter-select',
        clearable: true,
        clearButtonProps: { 'aria-label': `${label}: all` },
      }
    : { label, description, placeholder: 'Search by name', clearable: !field.required };
  return (
    <Select
      {...appearance}
      required={field.required ?? false}
      data-autofocus={isFirst || undefined}
      openOnFocus={!isFirst}
      error={field.error}
      searchable
      data={[...options]}
      filter={({ options: all }) => all}
      value={field.value === '' ? null : field.value}
      onChange={(next) => field.onChange(next ?? '')}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={isFetching ? 'Searching…' : nothingFound}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}
