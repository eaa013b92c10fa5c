import { Text } from '@mantine/core';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import type { ClientData } from './document.ts';
import type { Edit } from './use-edit.ts';

/** An approved client that is edited can't be used until it has been approved and enabled again: asks whether that is meant. */
export function ConfirmReview({ edit, client }: { edit: Edit; client: ClientData }) {
  return (
    <ConfirmDialog
      title="This takes the client back to review"
      confirmLabel="Save and send back to review"
      dangerous
      run={edit.saveAndReview}
      onClose={edit.cancelReview}
    >
      <Text size="sm">
        {client.name} is {client.status.toLowerCase()} as it was approved. Redirect URIs and scopes are part of that:
        with this edit nobody can sign in or call the API with it until somebody else has approved it and it is enabled
        again.
      </Text>
    </ConfirmDialog>
  );
}
