import { TicketIcon } from '@heroicons/react/24/outline';
import { Button, Group, NumberInput, Select, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { failureOf } from '../data/call.ts';
import { graphql } from '../data/graphql.ts';
import { REFUSAL, useChange } from '../data/view.ts';
import { ActionButton, type ActionButtonProps, ConfirmButton, FormDialog } from '../parts/dialog.tsx';
import { useSendForm } from '../parts/form.ts';
import { AddButton, ListPage, useFormInAddress } from '../parts/list.tsx';
import { notify, notifyWithUndo } from '../parts/notify.tsx';
import type { TableShape } from '../parts/rows.tsx';
import type { List } from '../parts/use-list.tsx';
import { IdChip, Moment, statesOf } from '../parts/values.tsx';

/** The right that changes test data. */
const RIGHT = 'sandbox:write';

const REVOKE = graphql(`
  mutation RevokePermits($permitIds: [ID!]!, $reason: String!) {
    revokePermits(permitIds: $permitIds, reason: $reason) { ${REFUSAL} ... on PermitsChanged { permits { id } } }
  }
`);

const RESTORE = graphql(`
  mutation RestorePermits($permitIds: [ID!]!) {
    restorePermits(permitIds: $permitIds) { ${REFUSAL} ... on PermitsChanged { permits { id } } }
  }
`);

/** Revokes and restores test permits, with a notification; a revocation can be undone. */
export function usePermitChanges() {
  const revoke = useChange(REVOKE);
  const restore = useChange(RESTORE);
  return {
    isChanging: revoke.isPending || restore.isPending,
    async revoke(permitIds: string[], reason: string): Promise<void> {
      await revoke.mutateAsync({ permitIds, reason });
      notifyWithUndo(`${countPermits(permitIds.length)} revoked.`, () => restore.mutateAsync({ permitIds }));
    },
    /** A failure becomes a notification too. */
    async restore(permitIds: string[]): Promise<void> {
      try {
        await restore.mutateAsync({ permitIds });
        notify(`${countPermits(permitIds.length)} restored.`);
      } catch (error) {
        notify(failureOf(error).message);
      }
    },
    /** Says that permits were granted, which can be undone. */
    noteGranted(permits: readonly { id: string }[]): void {
      const permitIds = permits.map(({ id }) => id);
      const undo = () => revoke.mutateAsync({ permitIds, reason: 'Granted by mistake and undone.' });
      notifyWithUndo(`${countPermits(permits.length)} granted.`, undo);
    },
  };
}

type PermitChanges = ReturnType<typeof usePermitChanges>;

/** `1 permit`, `3 permits` */
function countPermits(count: number): string {
  return count === 1 ? '1 permit' : `${count} permits`;
}

/** The service's limit per call. */
export const MOST_PERMITS = 50;

export const { Mark: PermitStateMark, options: PERMIT_STATE_OPTIONS } = statesOf({
  ISSUED: ['Issued', 'good'],
  WAITING: ['Not onchain yet', 'waiting'],
  REVOKED: ['Revoked', 'bad'],
});

export type PermitState = Parameters<typeof PermitStateMark>[0]['state'];

interface RevokePermitsProps extends Omit<ActionButtonProps, 'children' | 'onClick'> {
  changes: PermitChanges;
  permitIds: string[];
  label: string;
  onDone?: () => void;
}

/** Revokes test permits, for a reason. */
export function RevokePermits({ changes, permitIds, onDone, ...button }: RevokePermitsProps) {
  const one = permitIds.length === 1;
  return (
    <ConfirmButton
      {...button}
      title={`Revoke ${countPermits(permitIds.length)}`}
      confirmLabel="Revoke"
      dangerous
      reason={{ label: 'Reason' }}
      run={async (reason) => {
        await changes.revoke(permitIds, reason);
        onDone?.();
      }}
    >
      {one ? 'Its ticket disappears' : 'Their tickets disappear'} from the API, and nothing more is signed for{' '}
      {one ? 'it' : 'them'}. You can restore {one ? 'it' : 'them'} later.
    </ConfirmButton>
  );
}

interface ChosenPermitsProps {
  changes: PermitChanges;
  permits: readonly { id: string; state: PermitState }[];
  onDone: () => void;
}

/** What can be done with the permits that are chosen. */
function ChosenPermits({ changes, permits, onDone }: ChosenPermitsProps) {
  const idsOf = (isRevoked: boolean) =>
    permits.filter(({ state }) => (state === 'REVOKED') === isRevoked).map(({ id }) => id);
  const [live, revoked] = [idsOf(false), idsOf(true)];
  const restore = async () => {
    await changes.restore(revoked);
    onDone();
  };
  return (
    <Group
      gap="xs"
      role="group"
      aria-label="Selected permits"
      pos="sticky"
      top={64}
      px="sm"
      py={8}
      bd="1px solid var(--edge)"
      bdrs={8}
      bg="var(--mantine-color-body)"
      style={{ zIndex: 2 }}
    >
      <Text size="sm" role="status">
        {permits.length} chosen
      </Text>
      {live.length > 0 && (
        <RevokePermits
          changes={changes}
          permitIds={live}
          label={`Revoke ${countPermits(live.length)}`}
          right={RIGHT}
          variant="filled"
          size="xs"
          color="red.9"
          onDone={onDone}
        />
      )}
      {revoked.length > 0 && (
        <ActionButton size="xs" right={RIGHT} loading={changes.isChanging} onClick={() => void restore()}>
          {`Restore ${countPermits(revoked.length)}`}
        </ActionButton>
      )}
      <Button size="xs" variant="subtle" onClick={onDone}>
        Clear selection
      </Button>
    </Group>
  );
}

interface PermitsPageProps<Row> extends Pick<TableShape<Row>, 'columns' | 'href'> {
  list: List<Row>;
  description: string;
  emptyText: string;
  /** The ticket: "Opening Night, Standing". */
  nameOf: (row: Row) => string;
  /** Whether its ticket is a test ticket, so that it can be chosen. */
  isTest?: (row: Row) => boolean;
  /** The form for new ones. */
  form: (close: () => void) => ReactNode;
}

/** Permits, of which those of test tickets are revoked and restored here. `?grant=1` opens the form for new ones. */
export function PermitsPage<Row extends { id: string; state: PermitState; createdAt: string }>(
  props: PermitsPageProps<Row>,
) {
  const { nameOf, isTest = () => true, form, columns, ...page } = props;
  const changes = usePermitChanges();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { isOpen, open, close } = useFormInAddress('grant', RIGHT);
  // what another page shows is not chosen
  const chosenHere = (page.list.connection?.nodes ?? []).filter(({ id }) => chosen.has(id));
  return (
    <ListPage
      title="Permits"
      add={<AddButton label="Grant permits" right={RIGHT} onClick={open} />}
      above={
        chosenHere.length > 0 && (
          <ChosenPermits changes={changes} permits={chosenHere} onDone={() => setChosen(new Set())} />
        )
      }
      choice={{ chosen, onChange: setChosen, nameOf: (row) => `Select ${nameOf(row)}, ${row.id}`, isOpen: isTest }}
      columns={{
        Ticket: nameOf,
        ...columns,
        Permit: ({ id }) => <IdChip id={id} />,
        Created: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<TicketIcon />}
      emptyTitle="No permits yet"
      {...page}
    >
      {isOpen && form(close)}
    </ListPage>
  );
}

interface GrantWish {
  /** Whose test users get them; null where it is not asked. */
  partnerId: string | null;
  eventId: string;
  fanId: string;
}

type Grant = (of: { partnerId: string; ticketTypeId: string; fanIds: string[] }) => Promise<{
  permits: readonly { id: string }[];
}>;

/** The form that gives test users tickets of one type. Its first values are empty where unknown. */
export function useGrantForm({ partnerId, eventId, fanId }: GrantWish, grant: Grant, onClose: () => void) {
  const { noteGranted } = usePermitChanges();
  const chosen = (problem: string) => (value: string | string[] | null) => (value?.length === 0 ? problem : null);
  return useSendForm({
    initialValues: { partnerId, eventId, ticketTypeId: '', fanIds: fanId === '' ? [] : [fanId], each: 1 },
    draft: `permits.${partnerId}.${eventId}.${fanId}`,
    validate: {
      partnerId: chosen('Choose the partner.'),
      eventId: chosen('Choose the event.'),
      ticketTypeId: chosen('Choose the ticket type.'),
      fanIds: chosen('Choose at least one.'),
      each: (each, { fanIds: { length } }) => {
        if (each < 1) return 'Enter at least 1.';
        return each * length > MOST_PERMITS
          ? `Grant at most ${MOST_PERMITS} permits at a time (now ${each * length}).`
          : null;
      },
    },
    send: async ({ partnerId: owner, ticketTypeId, each, ...values }) => {
      const fanIds = values.fanIds.flatMap((id) => Array.from({ length: each }, () => id));
      noteGranted((await grant({ partnerId: owner ?? '', ticketTypeId, fanIds })).permits);
    },
    onClose,
  });
}

interface GrantDialogProps {
  form: ReturnType<typeof useGrantForm>;
  isWaiting?: boolean;
  /** Of the event that is chosen; undefined without one. */
  ticketTypes: readonly { id: string; name: string }[] | undefined;
  /** The fields for the event, and whose it is. */
  children: ReactNode;
  /** The field for the test users. */
  users: ReactNode;
}

/** The dialog with that form. Mount it to open it. */
export function GrantDialog({ form, ticketTypes, children, users, ...dialog }: GrantDialogProps) {
  const total = form.values.fanIds.length * form.values.each;
  return (
    <FormDialog
      title="Grant permits"
      confirmLabel={total > 0 ? `Grant ${countPermits(total)}` : 'Grant'}
      failureTitle="No permits were granted"
      form={form}
      {...dialog}
    >
      {children}
      <Select
        label="Ticket type"
        required
        placeholder={form.values.eventId === '' ? 'Choose the event first' : 'Choose'}
        disabled={ticketTypes === undefined}
        data={(ticketTypes ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('ticketTypeId')}
      />
      {users}
      <NumberInput
        label="Tickets each"
        required
        min={1}
        max={MOST_PERMITS}
        allowDecimal={false}
        {...form.getInputProps('each')}
      />
    </FormDialog>
  );
}
