import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useView } from '../../kit/data/view.ts';
import { graphql } from '../data/graphql.ts';

const FOUND = graphql(`
  query TestUsersToChoose($partnerId: ID, $search: String) {
    testUsers(partnerId: $partnerId, search: $search, first: 50) {
      nodes { id phone }
    }
  }
`);

interface TestUsersFieldProps {
  partnerId: string;
  value: string[];
  onChange: (ids: string[]) => void;
  error?: string | undefined;
}

/** Chooses some of a partner's test users by their phone numbers. */
export function TestUsersField({ partnerId, value, onChange, error }: TestUsersFieldProps) {
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 200);
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(new Map());
  const { data } = useView('test-users-to-choose', FOUND, { partnerId, search: asked }, { enabled: partnerId !== '' });
  const found = new Map(partnerId === '' ? [] : (data?.testUsers.nodes ?? []).map(({ id, phone }) => [id, phone]));
  // chosen users keep their labels when the search changes
  const options = [
    ...new Map([...value.map((id): [string, string] => [id, seen.get(id) ?? found.get(id) ?? id]), ...found]),
  ];
  return (
    <MultiSelect
      label="Test users"
      description="Search by part of the phone number."
      required
      searchable
      hidePickedOptions
      maxValues={50}
      disabled={partnerId === ''}
      placeholder={partnerId === '' ? 'Choose the partner first' : value.length === 0 ? 'Choose' : undefined}
      data={options.map(([id, phone]) => ({ value: id, label: phone }))}
      filter={({ options: all }) => all}
      value={value}
      onChange={(next) => {
        setSeen(new Map(options));
        onChange(next);
      }}
      searchValue={search}
      onSearchChange={setSearch}
      error={error}
      nothingFoundMessage="No matching test user of this partner."
      comboboxProps={{ shadow: 'md' }}
    />
  );
}
