import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';

const FOUND = graphql(`
  query PartnersToChoose($search: String) {
    partners(search: $search, first: 20) {
      nodes { id name }
    }
  }
`);

const CHOSEN = graphql(`
  query ChosenPartner($id: ID!) {
    partner(id: $id) { id name }
  }
`);

interface PartnerSelectProps {
  value: string;
  onChange: (id: string) => void;
  error?: string | undefined;
}

/** Finds a partner among thousands by a part of the name. */
export function PartnerSelect({ value, onChange, error }: PartnerSelectProps) {
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 200);
  const chosen = useView('chosen-partner', CHOSEN, { id: value }, { enabled: value !== '' }).data?.partner;
  const { data, isFetching } = useView('partners-to-choose', FOUND, { search: asked === chosen?.name ? '' : asked });
  const found = data?.partners.nodes ?? [];
  const known = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  return (
    <Select
      label="Partner"
      description="The company that the client belongs to."
      placeholder="Search by name"
      required
      searchable
      data={known.map(({ id, name }) => ({ value: id, label: name }))}
      filter={({ options }) => options}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No partner has this in its name. Register it under Partners.'}
      error={error}
    />
  );
}
