import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange, useView } from '../data/view.ts';
import { useViewer } from '../data/viewer.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { nameProblem, useFields } from '../parts/use-fields.ts';
import { RIGHTS } from '../staff/documents.ts';
import { CREATE } from './documents.ts';
import { type ShownToken, TokenShown } from './token-shown.tsx';

const DAYS = [7, 30, 90, 365].map((days) => ({ value: String(days), label: `${days} days` }));

/** A form for a token's name, rights and lifetime; afterwards shows its value, once. */
export function TokenForm({ onClose }: { onClose: () => void }) {
  const create = useChange(CREATE);
  const { has } = useViewer();
  const rights = useView('rights', RIGHTS, {}, { staleTime: 600_000 }).data?.staffRights ?? [];
  const possible = rights.filter(({ name, fresh }) => !fresh && has(name));
  const [made, setMade] = useState<ShownToken>();
  const form = useFields(
    { name: '', scopes: ['console:read'], days: '30' },
    ({ name, scopes }) => ({
      name: nameProblem(name),
      scopes: scopes.length === 0 ? 'Choose at least one right.' : undefined,
    }),
    async ({ name, scopes, days }) => {
      const { token, value } = await create.mutateAsync({ name: name.trim(), scopes, days: Number(days) });
      setMade({ ...token, value });
    },
  );
  if (made) return <TokenShown token={made} onClose={onClose} />;
  return (
    <FormDialog title="Make a token" confirmLabel="Make" failureTitle="No token was made" form={form} onClose={onClose}>
      <TextInput
        label="Name"
        description="To know it by: which script or job uses it."
        required
        data-autofocus
        value={form.values.name}
        error={form.problems.name}
        onChange={(event) => form.set('name', event.currentTarget.value)}
      />
      <Checkbox.Group
        label="Rights"
        description="As few as the job needs. Steps that want a fresh sign-in are for people only."
        required
        value={form.values.scopes}
        error={form.problems.scopes}
        onChange={(scopes) => form.set('scopes', scopes)}
      >
        <Stack gap="xs" mt="xs">
          {possible.map(({ name, says }) => (
            <Checkbox key={name} value={name} label={<code>{name}</code>} description={says} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label="Expires after"
        data={DAYS}
        allowDeselect={false}
        value={form.values.days}
        onChange={(days) => form.set('days', days ?? '30')}
      />
    </FormDialog>
  );
}
