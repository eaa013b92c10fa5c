import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

export interface Choice {
  value: string;
  label: string;
}

export interface Found {
  /** The chosen one is among them, whatever was searched for. */
  options: readonly Choice[];
  isFetching: boolean;
}

export interface FindSelectProps {
  label: string;
  description?: string;
  /** Id of the chosen one; empty text where none is. */
  value: string;
  onChange: (id: string) => void;
  error?: string | undefined;
  required?: boolean;
  /** Whether the focus begins here, in a dialog. */
  isFirst?: boolean;
  /** What is said where nothing has the text. */
  nothingFound: string;
  /** Asks the service: what fits a text, and what has the chosen id. */
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
  const looks = isFilter
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
      {...looks}
      required={field.required}
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

/** What was found, with what is chosen already. */
export function withChosen(found: readonly Choice[], chosen: Choice | undefined): Choice[] {
  return chosen && !found.some(({ value }) => value === chosen.value) ? [chosen, ...found] : [...found];
}
