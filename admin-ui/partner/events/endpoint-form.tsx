import { Anchor, Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { failureOf } from '../../kit/data/call.ts';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { FORMATS } from '../../kit/event/endpoint.tsx';
import { DialogButton, FormDialog } from '../../kit/parts/dialog.tsx';
import { MORE_TO_COME, ShowOnce, useSendForm } from '../../kit/parts/form.ts';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { CHANGE, type EndpointData, useChoices } from './document.tsx';

interface EndpointValues {
  clientId: string;
  format: EndpointData['format'];
  /** Empty for one that polls. */
  url: string;
  types: string[];
}

interface EndpointFormProps {
  title: string;
  confirmLabel: string;
  failureTitle: string;
  /** Its client and its format stay as they are. Undefined where one is added. */
  endpoint?: EndpointData;
  send: (values: EndpointValues) => Promise<unknown>;
  onClose: () => void;
}

/** The fields of an endpoint: its client, address, format and events. Mount it to open it. */
function EndpointForm({ endpoint, send, onClose, ...dialog }: EndpointFormProps) {
  const choices = useChoices();
  const types = choices.data?.notificationTypes ?? [];
  const initialValues: EndpointValues = {
    clientId: endpoint?.client.id ?? '',
    format: endpoint?.format ?? 'STANDARD_WEBHOOKS',
    url: endpoint?.url ?? '',
    types: [...(endpoint?.types ?? [])],
  };
  const form = useSendForm({
    initialValues,
    validate: {
      clientId: (id) => (id === '' ? 'Choose the client.' : null),
      url: (url, { format }) => (hasAddress(format) && url.trim() === '' ? 'Enter the address.' : null),
      types: (chosen) => (chosen.length === 0 ? 'Choose at least one event.' : null),
    },
    send: async (values) => {
      try {
        return await send({ ...values, url: hasAddress(values.format) ? values.url.trim() : '' });
      } catch (error) {
        // the service's fault of the address is shown at its field
        const [, fault] = /^url (.*)$/s.exec(failureOf(error).message) ?? [];
        if (fault === undefined) throw error;
        form.setFieldError('url', `The address ${fault}`);
        return MORE_TO_COME;
      }
    },
    onClose,
  });
  const { values, getInputProps, setFieldValue } = form;
  const isWhole = values.types.length === types.length;
  return (
    <FormDialog {...dialog} isWaiting={choices.data === undefined} form={form}>
      <FailureAlert failure={choices.error} title="What to choose from could not be loaded" retry={choices.refetch} />
      {endpoint === undefined && (
        <>
          <Select
            label="Client"
            description="Whose fans the events are about. It stays as it is."
            required
            placeholder="Choose a client"
            data-autofocus
            openOnFocus={false}
            data={(choices.data?.clients.nodes ?? []).map(({ id, name, mode }) => ({
              value: id,
              label: `${name} (${mode === 'SANDBOX' ? 'sandbox' : 'production'})`,
            }))}
            nothingFoundMessage={choices.data && 'There is no client yet.'}
            {...getInputProps('clientId')}
          />
          <Select
            label="Format"
            required
            allowDeselect={false}
            description={FORMATS[values.format].says}
            data={Object.entries(FORMATS).map(([value, { label }]) => ({ value, label }))}
            {...getInputProps('format')}
          />
        </>
      )}
      {hasAddress(values.format) && (
        <TextInput
          label="Address"
          required
          type="url"
          placeholder="https://partner.example/events"
          description="A public https address, port 443 or 8443."
          {...getInputProps('url')}
        />
      )}
      <Checkbox.Group
        label="Events"
        required
        errorProps={{ mt: 'xs' }}
        description={
          <Anchor
            component="button"
            type="button"
            size="sm"
            underline="always"
            onClick={() => setFieldValue('types', isWhole ? [] : types.map(({ name }) => name))}
          >
            {isWhole ? 'Choose none' : 'Choose all'}
          </Anchor>
        }
        {...getInputProps('types')}
      >
        <Stack gap="xs" mt={4}>
          {types.map(({ name, says }) => (
            <Checkbox key={name} value={name} label={name} description={says} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}

const hasAddress = (format: EndpointData['format']) => format !== 'SET_POLL';

const ADD = graphql(`
  mutation AddNotificationEndpoint($clientId: ID!, $endpoint: NotificationEndpointWish!) {
    addNotificationEndpoint(clientId: $clientId, endpoint: $endpoint) {
      ${REFUSAL} ... on NotificationEndpointWithSecret { secret endpoint { id format } }
    }
  }
`);

/** Adds an endpoint to one of the partner's clients. */
export function AddEndpoint({ onClose }: { onClose: () => void }) {
  const add = useChange(ADD);
  return (
    <EndpointForm
      title="Add an endpoint"
      confirmLabel="Add"
      failureTitle="No endpoint was added"
      send={async ({ clientId, url, ...wish }) => {
        const endpoint = { ...wish, ...(url !== '' && { url }) };
        const { endpoint: made, secret } = await add.mutateAsync({ clientId, endpoint });
        notify('The endpoint is added. Open it to send a test.');
        return shownSecret(made.format, secret);
      }}
      onClose={onClose}
    />
  );
}

/** A button that opens the fields of an endpoint: its address and its events. */
export function EditEndpoint({ endpoint }: { endpoint: EndpointData }) {
  const change = useChange(CHANGE);
  return (
    <DialogButton
      dialog={(close) => (
        <EndpointForm
          title="Edit the endpoint"
          confirmLabel="Save"
          failureTitle="The endpoint was not changed"
          endpoint={endpoint}
          send={async ({ url, types }) => {
            const isMoved = url !== (endpoint.url ?? '');
            await change.mutateAsync({ endpointId: endpoint.id, changes: { types, ...(isMoved && { url }) } });
            notify('The endpoint is changed.');
          }}
          onClose={close}
        />
      )}
    >
      Edit
    </DialogButton>
  );
}

/** The secret of an endpoint, right after it was made; nothing for one without a secret. */
export function shownSecret(format: EndpointData['format'], secret: string | null): ShowOnce | undefined {
  if (secret === null) return undefined;
  const polls = format === 'SET_POLL';
  return new ShowOnce({
    title: polls ? 'The token of your endpoint' : 'The secret of your endpoint',
    secret,
    label: polls ? 'Token' : 'Secret',
    advice: polls
      ? 'Copy it to your server. Polls send it as a bearer token.'
      : 'Copy it to your server. With it your server verifies the signature of each webhook.',
  });
}
