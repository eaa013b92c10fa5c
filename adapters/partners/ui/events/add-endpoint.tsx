import { Select } from '@mantine/core';
import type { VariablesOf } from 'gql.tada';
import { REFUSAL } from '../../../../console-kit/data/document.ts';
import { useChange } from '../../../../console-kit/data/view.ts';
import { FormDialog } from '../../../../console-kit/parts/form-dialog.tsx';
import { useSendForm } from '../../../../console-kit/parts/use-send-form.ts';
import { graphql } from '../data/graphql.ts';
import { type EndpointData, FORMATS, useChoices } from './document.ts';
import { EndpointFields, fieldErrors, sendFields } from './endpoint-fields.tsx';

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
  const clients = choices.data?.clients.nodes ?? [];
  const hasAddress = (format: string) => format !== 'SET_POLL';
  const form = useSendForm({
    initialValues: { clientId: '', format: 'STANDARD_WEBHOOKS' as string, url: '', types: [] as string[] },
    validate: {
      clientId: (id) => (id === '' ? 'Choose the client.' : null),
      url: (url, { format }) => fieldErrors.url(url, hasAddress(format)),
      types: fieldErrors.types,
    },
    send: ({ clientId, format, url, types }) =>
      sendFields(
        async () => {
          const endpoint = { format: format as Format, types, ...(hasAddress(format) && { url: url.trim() }) };
          const { endpoint: made, secret } = await add.mutateAsync({ clientId, endpoint });
          onMade({ ...made, secret });
        },
        (message) => form.setFieldError('url', message),
      ),
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
        description="Whose fans the events are about. It stays as it is."
        required
        placeholder="Choose a client"
        data-autofocus
        openOnFocus={false}
        data={clients.map(({ id, name, mode }) => ({
          value: id,
          label: `${name} (${mode === 'SANDBOX' ? 'sandbox' : 'production'})`,
        }))}
        nothingFoundMessage="There is no client yet."
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
      <EndpointFields form={form as never} hasAddress={hasAddress(values.format)} />
    </FormDialog>
  );
}
