import { Select } from '@mantine/core';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { useSendForm } from '../../kit/parts/use-send-form.ts';
import { useOwnClients } from '../client/client-filter.tsx';

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
export function ChooseClient({ mode, description, send, ...dialog }: ChooseClientProps) {
  const own = useOwnClients().data?.clients.nodes;
  const clients = (own ?? []).filter((client) => client.mode === mode);
  const form = useSendForm({
    initialValues: { clientId: '' },
    validate: { clientId: (id) => (id === '' ? 'Choose a client.' : null) },
    send: ({ clientId }) => send(clientId),
  });
  return (
    <FormDialog {...dialog} form={form} isWaiting={own === undefined}>
      <Select
        label={mode === 'SANDBOX' ? 'Sandbox client' : 'Production client'}
        description={description}
        required
        placeholder="Choose a client"
        data-autofocus
        openOnFocus={false}
        data={clients.map(({ id, name }) => ({ value: id, label: name }))}
        nothingFoundMessage={`There is no ${mode.toLowerCase()} client yet. Register one under Clients.`}
        {...form.getInputProps('clientId')}
        value={form.getInputProps('clientId').value || null}
      />
    </FormDialog>
  );
}
