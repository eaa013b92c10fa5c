import { DevicePhoneMobileIcon } from '@heroicons/react/24/outline';
import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../parts/dialog.tsx';
import { useSendForm } from '../parts/form.ts';
import { AddButton, ListPage, useFormInAddress } from '../parts/list.tsx';
import { LinkButton } from '../parts/page.tsx';
import type { TableShape } from '../parts/rows.tsx';
import { Copyable } from '../parts/text.tsx';
import type { List } from '../parts/use-list.tsx';
import { useReturnedFocus } from '../parts/use-returned-focus.ts';
import { CodeBlock, CopyWithButton, IdChip, Moment } from '../parts/values.tsx';

type MadeUser = Parameters<typeof MadeUsers>[0]['users'][number];

interface TestUsersPageProps<Row> {
  list: List<Row>;
  description: string;
  /** Other buttons than the one that makes them. */
  actions?: ReactNode;
  walletOf: (row: Row) => string | null;
  /** Between the wallet and the time. */
  columns: TableShape<Row>['columns'];
  emptyText: string;
  /** What to do with those that were just made. */
  advice: string;
  /** Whose they are at first; empty for everybody's, or where it is not asked. */
  partnerId: string;
  /** The field that asks whose they are. */
  ownerField?: (field: { value: string; onChange: (id: string) => void }) => ReactNode;
  create: (wish: { partnerId: string; count: number }) => Promise<readonly MadeUser[]>;
}

/** Sandbox fans with static codes. `?create=1` opens the form. */
export function TestUsersPage<Row extends { id: string; phone: string; code: string; createdAt: string }>(
  props: TestUsersPageProps<Row>,
) {
  const { walletOf, columns, advice, partnerId, ownerField, create, ...list } = props;
  const [made, setMade] = useState<readonly MadeUser[]>([]);
  const form = useFormInAddress('create', 'sandbox:write', ['partner']);
  return (
    <ListPage
      title="Test users"
      add={<AddButton label="Create test users" right="sandbox:write" onClick={form.open} />}
      {...list}
      columns={{
        Phone: ({ phone }) => <Copyable text={phone} label={`phone ${phone}`} />,
        Code: ({ phone, code }) => <Copyable text={code} label={`code of ${phone}`} />,
        Wallet: (row) => <Wallet address={walletOf(row)} />,
        ...columns,
        Created: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<DevicePhoneMobileIcon />}
      emptyTitle="No test users yet"
    >
      {form.isOpen && (
        <CreateTestUsers
          partnerId={partnerId}
          ownerField={ownerField}
          create={async (wish) => setMade(await create(wish))}
          onClose={form.close}
        />
      )}
      {made.length > 0 && <MadeUsers users={made} advice={advice} onClose={() => setMade([])} />}
    </ListPage>
  );
}

function Wallet({ address }: { address: string | null }) {
  return address && <IdChip id={address} />;
}

/** The service's limit per call. */
const MAX = 50;

interface CreateTestUsersProps {
  partnerId: string;
  ownerField: TestUsersPageProps<never>['ownerField'];
  create: (wish: { partnerId: string; count: number }) => Promise<void>;
  onClose: () => void;
}

function CreateTestUsers({ partnerId, ownerField, create, onClose }: CreateTestUsersProps) {
  const form = useSendForm({
    initialValues: { partnerId, count: 1 },
    draft: `test-users.${partnerId}`,
    validate: { count: (count) => (count >= 1 && count <= MAX ? null : `1 to ${MAX}.`) },
    send: create,
    onClose,
  });
  return (
    <FormDialog title="Create test users" confirmLabel="Create" failureTitle="No test users were created" form={form}>
      {ownerField?.({ ...form.getInputProps('partnerId'), value: form.values.partnerId })}
      <NumberInput
        label="How many"
        description={`1 to ${MAX}. Each gets a fictional phone number, a code and a wallet.`}
        required
        data-autofocus={ownerField === undefined || undefined}
        min={1}
        max={MAX}
        allowDecimal={false}
        {...form.getInputProps('count')}
      />
    </FormDialog>
  );
}

interface MadeUsersProps {
  users: readonly { id: string; phone: string; code: string; walletAddress: string | null }[];
  /** What to do with them. */
  advice: string;
  onClose: () => void;
}

/** Test users that were just made, to copy. They stay in the list, with their codes. */
function MadeUsers({ users, advice, onClose }: MadeUsersProps) {
  useReturnedFocus();
  const lines = users.map(({ phone, code, walletAddress }) => [phone, code, walletAddress ?? ''].join(','));
  const csv = ['phone,code,wallet', ...lines].join('\n');
  const [first] = users;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={users.length === 1 ? 'Test user created' : `${users.length} test users created`}
    >
      <Stack gap="md">
        <Text size="sm">{advice}</Text>
        <CodeBlock text={csv} label="Test users as CSV" />
        <Group justify="flex-end" gap="xs">
          <CopyWithButton text={csv} label="Copy all" />
          {users.length === 1 && first && (
            <LinkButton href={`/permits?grant=1&fan=${first.id}`}>Grant permits</LinkButton>
          )}
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
