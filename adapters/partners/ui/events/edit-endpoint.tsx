import { useState } from 'react';
import { useChange } from '../../../../console-kit/data/view.ts';
import { ActionButton } from '../../../../console-kit/parts/action-button.tsx';
import { FormDialog } from '../../../../console-kit/parts/form-dialog.tsx';
import { notify } from '../../../../console-kit/parts/undo.tsx';
import { useSendForm } from '../../../../console-kit/parts/use-send-form.ts';
import { CHANGE, type EndpointData, useChoices } from './document.ts';
import { EndpointFields, fieldErrors, sendFields } from './endpoint-fields.tsx';

/** A button that opens the fields of an endpoint: its address, and what it is told of. */
export function EditEndpoint({ endpoint }: { endpoint: EndpointData }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionButton variant="default" onClick={() => setOpen(true)}>
        Edit
      </ActionButton>
      {isOpen && <EditDialog endpoint={endpoint} onClose={() => setOpen(false)} />}
    </>
  );
}

function EditDialog({ endpoint: { id, url, types }, onClose }: { endpoint: EndpointData; onClose: () => void }) {
  const change = useChange(CHANGE);
  const choices = useChoices();
  const hasAddress = url !== null;
  const form = useSendForm({
    initialValues: { url: url ?? '', types: [...types] },
    validate: { url: (address) => fieldErrors.url(address, hasAddress), types: fieldErrors.types },
    send: (values) =>
      sendFields(
        async () => {
          const isMoved = values.url.trim() !== (url ?? '');
          const changes = { types: values.types, ...(isMoved && { url: values.url.trim() }) };
          await change.mutateAsync({ endpointId: id, changes });
          notify('The endpoint is changed.');
          onClose();
        },
        (message) => form.setFieldError('url', message),
      ),
  });
  return (
    <FormDialog
      title="Edit the endpoint"
      confirmLabel="Save"
      failureTitle="The endpoint was not changed"
      isWaiting={choices.data === undefined}
      form={form}
      onClose={onClose}
    >
      <EndpointFields form={form} hasAddress={hasAddress} />
    </FormDialog>
  );
}
