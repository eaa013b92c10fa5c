import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { failureOf } from '../../kit/data/call.ts';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { DialogButton, FormDialog, ReasonField } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { Copyable } from '../../kit/parts/text.tsx';
import { graphql } from '../data/graphql.ts';

const REVEAL_PHONE = graphql(`
  mutation RevealPhone($fanId: ID!, $reason: String!, $bulkReason: String) {
    revealPhone(fanId: $fanId, reason: $reason, bulkReason: $bulkReason) {
      ${REFUSAL} ... on RevealedPhone { phone }
    }
  }
`);

/** The masked phone of a fan, and a button that reveals it until it is hidden or this view is left. */
export function FanPhone({ fan }: { fan: { id: string; phone: string; testUser: { phone: string } | null } }) {
  const [whole, setWhole] = useState<string>();
  if (fan.testUser) return <Copyable text={fan.testUser.phone} label="phone" />;
  if (whole !== undefined) {
    return (
      <span className="line-start">
        <Copyable text={whole} label="phone" />
        <Button size="compact-sm" variant="subtle" onClick={() => setWhole(undefined)}>
          Hide
        </Button>
      </span>
    );
  }
  return (
    <span className="line-start">
      {fan.phone}
      <DialogButton
        size="compact-sm"
        right="fans:reveal"
        dialog={(close) => <RevealForm fanId={fan.id} onRevealed={setWhole} onClose={close} />}
      >
        Reveal
      </DialogButton>
    </span>
  );
}

interface RevealFormProps {
  fanId: string;
  onRevealed: (phone: string) => void;
  onClose: () => void;
}

function RevealForm({ fanId, onRevealed, onClose }: RevealFormProps) {
  const [isBulk, setBulk] = useState(false);
  const reveal = useChange(REVEAL_PHONE);
  const needed = (text: string) => (text.trim() === '' ? 'Enter a reason.' : null);
  const form = useSendForm({
    initialValues: { reason: '', bulkReason: '' },
    validate: { reason: needed, bulkReason: (text) => (isBulk ? needed(text) : null) },
    send: async ({ reason, bulkReason }) => {
      try {
        const { phone } = await reveal.mutateAsync({ fanId, reason, bulkReason: bulkReason || null });
        onRevealed(phone);
        onClose();
      } catch (error) {
        if (failureOf(error).code === 'reason_required') setBulk(true);
        throw error;
      }
    },
  });
  return (
    <FormDialog
      title="Reveal the phone number"
      confirmLabel="Reveal"
      failureTitle="The number was not shown"
      form={form}
      onClose={onClose}
    >
      <Text size="sm">Phone numbers are masked everywhere else in the console.</Text>
      <ReasonField
        description="Your name and this reason are added to the audit log."
        placeholder="Case 4711: calling the fan back"
        data-autofocus
        {...form.getInputProps('reason')}
      />
      {isBulk && (
        <ReasonField
          label="Why so many numbers"
          description="For this and the next 20 numbers. It is added to the audit log."
          placeholder="Calling everybody whose seat was double-booked"
          {...form.getInputProps('bulkReason')}
        />
      )}
    </FormDialog>
  );
}
