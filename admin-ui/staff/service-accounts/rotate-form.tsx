import { Select } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../kit/data/view.ts';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { useSendForm } from '../../kit/parts/use-send-form.ts';
import { type AccountData, ROTATE } from './documents.ts';
import { type ShownToken, TOKEN_DAYS, TokenShown } from './token-shown.tsx';

const OVERLAPS = [
  { value: '0', label: 'Ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
];

/** A form for another token of an account, which afterwards shows it, once. */
export function RotateForm({ account, onClose }: { account: AccountData; onClose: () => void }) {
  const rotate = useChange(ROTATE);
  const [made, setMade] = useState<ShownToken>();
  const form = useSendForm({
    initialValues: { days: '90', overlapHours: '24' },
    send: async ({ days, overlapHours }) => {
      const wish = { accountId: account.id, days: Number(days), overlapHours: Number(overlapHours) };
      const { value, token } = await rotate.mutateAsync(wish);
      setMade({ name: account.name, value, expiresAt: token.expiresAt });
    },
  });
  if (made) return <TokenShown token={made} onClose={onClose} />;
  return (
    <FormDialog
      title={`New token for ${account.name}`}
      confirmLabel="Create token"
      failureTitle="No token was created"
      form={form}
      onClose={onClose}
    >
      <Select
        label="The present token stays valid for"
        description="Meanwhile both are accepted, so that the system can change over. Any older token ends now."
        data={OVERLAPS}
        allowDeselect={false}
        {...form.getInputProps('overlapHours')}
      />
      <Select
        label="The new token expires after"
        data={TOKEN_DAYS}
        allowDeselect={false}
        {...form.getInputProps('days')}
      />
    </FormDialog>
  );
}
