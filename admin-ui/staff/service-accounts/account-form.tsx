import { Checkbox, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange, useView } from '../../kit/data/view.ts';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { nameError, useSendForm } from '../../kit/parts/use-send-form.ts';
import { CREATE, SERVICE_RIGHTS } from './documents.ts';
import { type ShownToken, TOKEN_DAYS, TokenShown } from './token-shown.tsx';

/** A form for an account's name, rights and limit; afterwards shows its first token, once. */
export function AccountForm({ onClose }: { onClose: () => void }) {
  const create = useChange(CREATE);
  const rights = useView('service rights', SERVICE_RIGHTS, {}, { staleTime: 600_000 }).data?.serviceRights ?? [];
  const [made, setMade] = useState<ShownToken>();
  const form = useSendForm({
    initialValues: { name: '', scopes: ['inventory:write'], days: '90', callsPerMinute: 120 as number | string },
    draft: 'service-account',
    validate: {
      name: nameError,
      scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one right.' : null),
      callsPerMinute: (calls) => (Number(calls) >= 1 ? null : 'Enter a number from 1 to 6,000.'),
    },
    send: async ({ name, scopes, days, callsPerMinute }) => {
      const wish = { name: name.trim(), scopes, days: Number(days), callsPerMinute: Number(callsPerMinute) };
      const { value, token, account } = await create.mutateAsync(wish);
      setMade({ name: account.name, value, expiresAt: token.expiresAt });
    },
  });
  if (made) return <TokenShown token={made} onClose={onClose} />;
  return (
    <FormDialog
      title="Create a service account"
      confirmLabel="Create"
      failureTitle="No service account was created"
      form={form}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The system that uses it."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="Rights" required {...form.getInputProps('scopes')}>
        <Stack gap="xs" mt="xs">
          {rights.map(({ name, says }) => (
            <Checkbox key={name} value={name} label={<code>{name}</code>} description={says} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NumberInput
        label="Calls per minute"
        description="In each process of the service. An import is one call."
        min={1}
        max={6000}
        allowDecimal={false}
        required
        {...form.getInputProps('callsPerMinute')}
      />
      <Select label="Token expires after" data={TOKEN_DAYS} allowDeselect={false} {...form.getInputProps('days')} />
    </FormDialog>
  );
}
