import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import type { VariablesOf } from 'gql.tada';
import { REFUSAL } from '../../../../console-kit/data/document.ts';
import { useChange } from '../../../../console-kit/data/view.ts';
import { FormDialog } from '../../../../console-kit/parts/form-dialog.tsx';
import { useSendForm } from '../../../../console-kit/parts/use-send-form.ts';
import { graphql } from '../data/graphql.ts';
import { type EndpointData, FORMATS, useChoices } from './document.ts';

const ADD = graphql(`
  mutation AddNotificationEndpoint($clientId: ID!, $endpoint: NotificationEndpointWish!) {
    addNotificationEndpoint(clientId: $clientId, endpoint: $endpoint) {
      ${REFUSAL} ... on NotificationEndpointWithSecret { secret endpoint { id format } }
    }
  }
`);

type Format = VariablesOf<typeof ADD>['endpoint']['format'];

export interface MadeEndpoint {
  id: string;
  format: EndpointData['format'];
  secret: string | null;
}

/** Adds an endpoint to one of the partner's clients. */
export function AddEndpoint({ onMade, onClose }: { onMade: (made: MadeEndpoint) => void; onClose: () => void }) {
  const add = useChange(ADD);
  const choices = useChoices();
  const types = choices.data?.notificationTypes ?? [];
  const form = useSendForm({
    initialValues: { clientId: '', format: 'STANDARD_WEBHOOKS' as string, url: '', types: [] as string[] },
    validate: {
      clientId: (id) => (id === '' ? 'Choose the client.' : null),
      url: (url, { format }) => (format !== 'SET_POLL' && url.trim() === '' ? 'Enter the address.' : null),
      types: (chosen) => (chosen.length === 0 ? 'Choose at least one.' : null),
    },
    send: async ({ clientId, format, url, types: chosen }) => {
      const endpoint = { format: format as Format, types: chosen, ...(format !== 'SET_POLL' && { url: url.trim() }) };
      const { endpoint: made, secret } = await add.mutateAsync({ clientId, endpoint });
      onMade({ ...made, secret });
    },
  });
  const { values, getInputProps } = form;
  return (
    <FormDialog
      title="Add an endpoint"
      confirmLabel="Add"
      failureTitle="No endpoint was added"
      isWaiting={choices.data === undefined}
      form={form}
      onClose={onClose}
    >
      <Select
        label="Client"
        required
        data-autofocus
        openOnFocus={false}
        data={(choices.data?.clients.nodes ?? []).map(({ id, name, mode }) => ({
          value: id,
          label: `${name} (${mode === 'SANDBOX' ? 'sandbox' : 'production'})`,
        }))}
        {...getInputProps('clientId')}
      />
      <Select
        label="Format"
        required
        allowDeselect={false}
        description={FORMATS[values.format as Format]?.says}
        data={Object.entries(FORMATS).map(([value, { label }]) => ({ value, label }))}
        {...getInputProps('format')}
      />
      {values.format !== 'SET_POLL' && (
        <TextInput
          label="Address"
          required
          type="url"
          placeholder="https://partner.example/events"
          description="https, on port 443 or 8443."
          {...getInputProps('url')}
        />
      )}
      <Checkbox.Group label="Events" required {...getInputProps('types')}>
        <Stack gap="xs" mt={4}>
          {types.map(({ name, says }) => (
            <Checkbox key={name} value={name} label={name} description={says} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
