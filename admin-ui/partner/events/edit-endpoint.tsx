import { useState } from 'react';
import { useChange } from '../../kit/data/view.ts';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { CHANGE, type EndpointData } from './document.ts';
import { EndpointForm } from './endpoint-form.tsx';

/** A button that opens the fields of an endpoint: its address, and what it is told of. */
export function EditEndpoint({ endpoint }: { endpoint: EndpointData }) {
  const [isOpen, setOpen] = useState(false);
  const change = useChange(CHANGE);
  const close = () => setOpen(false);
  return (
    <>
      <ActionButton variant="default" onClick={() => setOpen(true)}>
        Edit
      </ActionButton>
      {isOpen && (
        <EndpointForm
          title="Edit the endpoint"
          confirmLabel="Save"
          failureTitle="The endpoint was not changed"
          endpoint={endpoint}
          send={async ({ url, types }) => {
            const isMoved = url !== (endpoint.url ?? '');
            await change.mutateAsync({ endpointId: endpoint.id, changes: { types, ...(isMoved && { url }) } });
            notify('The endpoint is changed.');
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
