import { Alert, Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange, useView } from '../data/view.ts';
import { useViewer } from '../data/viewer.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { inUtc } from '../parts/moment.tsx';
import { nameProblem, useFields } from '../parts/use-fields.ts';
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

interface ShownToken {
  name: string;
  value: string;
  expiresAt: string;
}

/** The value of a new token, which can't be read again. */
function TokenShown({ token: { name, value, expiresAt }, onClose }: { token: ShownToken; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={`Token ${name}`} closeOnClickOutside={false} size="lg">
      <Stack gap="md">
        <Alert color="ticket" variant="light" icon={<IconKey aria-hidden />} title="Shown this once">
          <Text size="sm">
            Put it where secrets are kept. Whoever has it acts as you, within its rights, until {inUtc(expiresAt)} or
            until you revoke it.
          </Text>
        </Alert>
        <CopyText text={value} label="Token" labelled={false} />
        <Text size="sm">
          Send it as <code>Authorization: Bearer st_…</code>, or give it to <code>npm run admin</code> as{' '}
          <code>ADMIN_TOKEN</code>.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
