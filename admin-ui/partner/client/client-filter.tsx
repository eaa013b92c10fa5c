import { Select } from '@mantine/core';
import { useView } from '../../kit/data/view.ts';
import type { Filter } from '../../kit/parts/use-list.tsx';
import { graphql } from '../data/graphql.ts';

const CLIENTS = graphql(`
  query ClientsToChoose {
    clients(first: 100) { nodes { id name mode status grantCount } }
  }
`);

/** The partner's clients, newest first. */
export function useOwnClients() {
  return useView('clients-to-choose', CLIENTS, {}, { staleTime: 30_000 });
}

interface ClientSelectProps {
  value: string;
  onChange: (id: string) => void;
  /** Whether none can be chosen, for all. */
  clearable?: boolean;
  /** Only those of one mode. */
  mode?: 'SANDBOX' | 'PRODUCTION';
}

/** Chooses one of the partner's clients. */
export function ClientSelect({ value, onChange, clearable = false, mode: only }: ClientSelectProps) {
  const all = useOwnClients().data?.clients.nodes ?? [];
  const clients = only === undefined ? all : all.filter(({ mode }) => mode === only);
  return (
    <Select
      aria-label="Client"
      placeholder="Client"
      // clients often differ in their mode only
      data={clients.map(({ id, name, mode }) => ({ value: id, label: `${name} (${mode.toLowerCase()})` }))}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      allowDeselect={clearable}
      clearable={clearable}
      clearButtonProps={{ 'aria-label': 'Client: all' }}
      className="client-select"
      comboboxProps={{ shadow: 'md' }}
    />
  );
}

/** Of one client; nothing chosen means all. */
export const clientFilter: Filter = (field) => <ClientSelect clearable {...field} />;
