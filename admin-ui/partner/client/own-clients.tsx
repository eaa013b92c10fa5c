import { Select } from '@mantine/core';
import { graphql } from '../../kit/data/graphql.ts';
import { useView } from '../../kit/data/view.ts';
import { FormDialog } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { type Filter, FilterSelect } from '../../kit/parts/use-list.tsx';

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
    <FilterSelect
      label="Client"
      // clients often differ in their mode only
      data={clients.map(({ id, name, mode }) => ({ value: id, label: `${name} (${mode.toLowerCase()})` }))}
      value={value}
      onChange={onChange}
      allowDeselect={clearable}
      clearable={clearable}
      flex="0 1 260px"
    />
  );
}

/** Of one client; nothing chosen means all. */
export const clientFilter: Filter = (field) => <ClientSelect clearable {...field} />;

interface Candidate {
  id: string;
  status: string;
  grantCount: number;
}

/** The client that is shown where none is named: one that fans use, otherwise the one with the most grants, otherwise the newest. */
export function usualOf<Client extends Candidate>(clients: readonly Client[]): Client | undefined {
  const byGrants = clients.toSorted((one, other) => other.grantCount - one.grantCount);
  return byGrants.find(({ status }) => status === 'ENABLED') ?? byGrants[0];
}

/** As `usualOf`, of the partner's clients. */
export function useUsualClient(): { id: string | undefined; isEmpty: boolean } {
  const clients = useOwnClients().data?.clients.nodes;
  return { id: usualOf(clients ?? [])?.id, isEmpty: clients?.length === 0 };
}

interface ChooseClientProps {
  title: string;
  confirmLabel: string;
  failureTitle: string;
  mode: 'SANDBOX' | 'PRODUCTION';
  description: string;
  send: (clientId: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for one of the partner's clients of a mode. */
export function ChooseClient({ mode, description, send, onClose, ...dialog }: ChooseClientProps) {
  const own = useOwnClients();
  const clients = (own.data?.clients.nodes ?? []).filter((client) => client.mode === mode);
  const form = useSendForm({
    initialValues: { clientId: '' },
    validate: { clientId: (id) => (id === '' ? 'Choose a client.' : null) },
    send: ({ clientId }) => send(clientId),
    onClose,
  });
  return (
    <FormDialog {...dialog} form={form} isWaiting={own.data === undefined}>
      <FailureAlert failure={own.error} title="Your clients could not be loaded" retry={own.refetch} />
      <Select
        label={mode === 'SANDBOX' ? 'Sandbox client' : 'Production client'}
        description={description}
        required
        placeholder="Choose a client"
        data-autofocus
        openOnFocus={false}
        data={clients.map(({ id, name }) => ({ value: id, label: name }))}
        nothingFoundMessage={own.data && `There is no ${mode.toLowerCase()} client yet. Register one under Clients.`}
        {...form.getInputProps('clientId')}
        value={form.getInputProps('clientId').value || null}
      />
    </FormDialog>
  );
}
