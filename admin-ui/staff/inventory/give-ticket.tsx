import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { ReasonField } from '../../kit/parts/reason-field.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { MORE_TO_COME, useSendForm } from '../../kit/parts/use-send-form.ts';
import { atField, useTicketRow } from './rows.ts';
import { type NamedTicket, rowOf } from './withdraw-ticket.tsx';

interface GiveTicketProps {
  ticket: NamedTicket;
  /** Whether its permit stands on the chain, so that it moves there first. */
  isIssued: boolean;
}

/** Gives a ticket to another fan. */
export function GiveTicket({ ticket, isIssued }: GiveTicketProps) {
  const [asking, setAsking] = useState(false);
  const lack = ticket.owner === null ? 'The ticket is in a wallet outside this service.' : undefined;
  return (
    <>
      <ActionButton
        variant="default"
        right="tickets:take"
        fresh
        {...(lack !== undefined && { disabledReason: lack })}
        onClick={() => setAsking(true)}
      >
        Give to another holder
      </ActionButton>
      {asking && <GiveDialog ticket={ticket} isIssued={isIssued} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Without a draft, which would keep a phone number. */
function GiveDialog({ ticket, isIssued, onClose }: GiveTicketProps & { onClose: () => void }) {
  const upsert = useTicketRow();
  const form = useSendForm({
    initialValues: { holder: '', reason: '' },
    validate: {
      holder: (text) => (text.trim() === '' ? 'Enter a phone number or a fan ID.' : null),
      reason: (text) => (text.trim() === '' ? 'Enter a reason.' : null),
    },
    send: async (values) => {
      const holder = values.holder.trim();
      const named = holder.startsWith('usr_') ? { holderFanId: holder } : { holderPhone: holder };
      try {
        const changed = await upsert({ ...rowOf(ticket), ...named }, values.reason.trim());
        if (changed !== undefined) notify(toldOf(changed, isIssued));
      } catch (error) {
        const { field, message } = atField(error, values, { holderPhone: 'holder', holderFanId: 'holder' });
        form.setFieldError(field, message);
        return MORE_TO_COME;
      }
      onClose();
      return undefined;
    },
  });
  return (
    <FormDialog
      title="Give the ticket to another holder"
      confirmLabel="Give"
      failureTitle="The ticket was not given"
      dangerous
      form={form}
      onClose={onClose}
    >
      <Text size="sm">
        {isIssued
          ? `The permit moves to the other wallet onchain first; an open listing is closed with it. Then ${ticket.owner?.phone ?? 'the holder'} and their apps no longer see the ticket.`
          : `${ticket.owner?.phone ?? 'The holder'} and their apps no longer see the ticket. Its permit is issued to the new holder.`}
      </Text>
      <TextInput
        label="New holder"
        description="A phone number with + and the country code, or a fan ID. A number that never signed in gets a fan and a wallet."
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('holder')}
      />
      <ReasonField {...form.getInputProps('reason')} />
    </FormDialog>
  );
}

function toldOf(changed: boolean, isIssued: boolean): string {
  if (!changed) return 'The ticket has this holder already.';
  return isIssued ? 'The permit moves onchain; the ticket changes its holder then.' : 'The ticket has a new holder.';
}
