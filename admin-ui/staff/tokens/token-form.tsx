import { Checkbox, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange, useView } from '../../kit/data/view.ts';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { inUtc } from '../../kit/parts/moment.tsx';
import { ShownOnce } from '../../kit/parts/shown-once.tsx';
import { nameError, useSendForm } from '../../kit/parts/use-send-form.ts';
import { useViewer } from '../data/viewer.ts';
import { RIGHTS } from '../staff/documents.ts';
import { CREATE } from './documents.ts';

const DAYS = [7, 30, 90, 365].map((days) => ({ value: String(days), label: `${days} days` }));

/** A form for a token's name, rights and lifetime; afterwards shows its value, once. */
export function TokenForm({ onClose }: { onClose: () => void }) {
  const create = useChange(CREATE);
  const { has } = useViewer();
  const rights = useView('rights', RIGHTS, {}, { staleTime: 600_000 }).data?.staffRights ?? [];
  const possible = rights.filter(({ name, fresh }) => !fresh && has(name));
  const [made, setMade] = useState<ShownToken>();
  const form = useSendForm({
    initialValues: { name: '', scopes: ['console:read'], days: '30' },
    draft: 'token',
    validate: {
      name: nameError,
      scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one right.' : null),
    },
    send: async ({ name, scopes, days }) => {
      const { token, value } = await create.mutateAsync({ name: name.trim(), scopes, days: Number(days) });
      setMade({ ...token, value });
    },
  });
  if (made) return <TokenShown token={made} onClose={onClose} />;
  return (
    <FormDialog
      title="Create a token"
      confirmLabel="Create"
      failureTitle="No token was created"
      form={form}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="For example, the script or job that uses it."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox.Group
        label="Rights"
        description="Choose as few as the job needs. Rights that need a fresh sign-in are for people only."
        required
        {...form.getInputProps('scopes')}
      >
        <Stack gap="xs" mt="xs">
          {possible.map(({ name, says }) => (
            <Checkbox key={name} value={name} label={<code>{name}</code>} description={says} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select label="Expires after" data={DAYS} allowDeselect={false} {...form.getInputProps('days')} />
    </FormDialog>
  );
}

interface ShownToken {
  name: string;
  value: string;
  expiresAt: string;
}

/** The value of a new token, which can't be read again. */
function TokenShown({ token: { name, value, expiresAt }, onClose }: { token: ShownToken; onClose: () => void }) {
  return (
    <ShownOnce
      title={`Token ${name}`}
      secret={value}
      label="Token"
      advice={`Store it like a password. Anyone who has it can act as you, within its rights, until ${inUtc(expiresAt)} or until you revoke it.`}
      onClose={onClose}
    >
      <Text size="sm">
        Send it as <code>Authorization: Bearer st_…</code>, or give it to <code>npm run admin</code> as{' '}
        <code>ADMIN_TOKEN</code>.
      </Text>
    </ShownOnce>
  );
}
