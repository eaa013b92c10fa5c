import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import { ConfirmButton } from '../../kit/parts/confirm-dialog.tsx';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { ReasonField } from '../../kit/parts/reason-field.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { useSendForm } from '../../kit/parts/use-send-form.ts';
import { useTicketRow } from './rows.ts';
import type { TicketStatus } from './states.tsx';

/** A ticket as its rows name it. */
export interface NamedTicket {
  id: string;
  reference: string;
  status: TicketStatus;
  owner: { id: string; phone: string } | null;
  ticketType: { reference: string; event: { reference: string; name: string; status: 'SCHEDULED' | 'CANCELLED' } };
}

/** What every row of a ticket must say. */
export function rowOf({ reference, ticketType }: NamedTicket) {
  return { reference, ticketType: ticketType.reference, event: ticketType.event.reference };
}

/** Withdraws a ticket as refunded or void, or lets it count again. */
export function WithdrawTicket({ ticket }: { ticket: NamedTicket }) {
  const [asking, setAsking] = useState(false);
  const upsert = useTicketRow();
  if (ticket.status !== 'VALID') {
    return (
      <ConfirmButton
        variant="default"
        right="inventory:write"
        title="Restore the ticket"
        confirmLabel="Restore"
        reason={{ label: 'Reason' }}
        run={async (reason) => {
          await upsert({ ...rowOf(ticket), status: 'valid' }, reason);
          notify('The ticket counts again.');
        }}
      >
        {ticket.ticketType.event.status === 'CANCELLED'
          ? 'Its event is cancelled, so it stays hidden until the event is reinstated.'
          : 'Its holder and their apps see it again, and its permit counts. It is not added to grants of chosen tickets again.'}
      </ConfirmButton>
    );
  }
  return (
    <>
      <ActionButton variant="default" right="tickets:take" fresh onClick={() => setAsking(true)}>
        Withdraw
      </ActionButton>
      {asking && <WithdrawDialog ticket={ticket} onClose={() => setAsking(false)} />}
    </>
  );
}

function WithdrawDialog({ ticket, onClose }: { ticket: NamedTicket; onClose: () => void }) {
  const upsert = useTicketRow();
  const form = useSendForm({
    initialValues: { status: 'refunded', reason: '' },
    validate: { reason: (text) => (text.trim() === '' ? 'Enter a reason.' : null) },
    send: async ({ status, reason }) => {
      const changed = await upsert({ ...rowOf(ticket), status }, reason.trim());
      if (changed !== undefined) notify(status === 'void' ? 'The ticket is void.' : 'The ticket is refunded.');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Withdraw the ticket"
      confirmLabel="Withdraw"
      failureTitle="The ticket was not withdrawn"
      dangerous
      form={form}
      onClose={onClose}
    >
      <Text size="sm">
        Its holder and their apps no longer see it. Its permit stops counting, grants of chosen tickets lose it, and an
        open listing is closed onchain. Money is not moved by this.
      </Text>
      <Radio.Group label="Why it ends" {...form.getInputProps('status')}>
        <Stack gap="xs" mt="xs">
          <Radio value="refunded" label="Refunded" description="The holder gets the money back." />
          <Radio value="void" label="Void" description="It was never valid, or is no longer." />
        </Stack>
      </Radio.Group>
      <ReasonField data-autofocus {...form.getInputProps('reason')} />
    </FormDialog>
  );
}
