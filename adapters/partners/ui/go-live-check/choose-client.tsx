import { Select } from '@mantine/core';
import { FormDialog } from '../../../../console-kit/parts/form-dialog.tsx';
import { useSendForm } from '../../../../console-kit/parts/use-send-form.ts';
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
  const clients = (useOwnClients().data?.clients.nodes ?? []).filter((client) => client.mode === mode);
  const form = useSendForm({
    initialValues: { clientId: '' },
    validate: { clientId: (id) => (id === '' ? 'Choose a client.' : null) },
    send: ({ clientId }) => send(clientId),
  });
  return (
    <FormDialog {...dialog} form={form}>
      <Select
        label={mode === 'SANDBOX' ? 'Sandbox client' : 'Production client'}
        description={description}
        required
        data={clients.map(({ id, name }) => ({ value: id, label: name }))}
        nothingFoundMessage="There is none."
        {...form.getInputProps('clientId')}
        value={form.getInputProps('clientId').value || null}
      />
    </FormDialog>
  );
}
