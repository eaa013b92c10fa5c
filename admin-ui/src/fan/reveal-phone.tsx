import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { graphql, REFUSAL } from '../data/graphql.ts';
import { useChange } from '../data/view.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Copyable } from '../parts/copyable.tsx';

const REVEAL_PHONE = graphql(`
  mutation RevealPhone($fanId: ID!, $reason: String!) {
    revealPhone(fanId: $fanId, reason: $reason) { ${REFUSAL} ... on RevealedPhone { phone } }
  }
`);

/** The masked phone of a fan, and a button that reveals it until it is hidden or this view is left. */
export function FanPhone({ fan }: { fan: { id: string; phone: string; testUser: { phone: string } | null } }) {
  const [whole, setWhole] = useState<string>();
  const [asking, setAsking] = useState(false);
  const reveal = useChange(REVEAL_PHONE);
  const disabledReason = useDisabledReason('fans:reveal');
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
      <ActionButton size="compact-sm" variant="default" disabledReason={disabledReason} onClick={() => setAsking(true)}>
        Reveal
      </ActionButton>
      {asking && (
        <ConfirmDialog
          title="Reveal the phone number"
          confirmLabel="Reveal"
          reason={{
            label: 'Why you need it',
            description: 'Your name and this reason go into the audit log, before the number is shown.',
            placeholder: 'Case 4711: calling the fan back.',
          }}
          run={async (reason) => {
            const { phone } = await reveal.mutateAsync({ fanId: fan.id, reason });
            setWhole(phone);
          }}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">Fans’ numbers are masked everywhere else in the console.</Text>
        </ConfirmDialog>
      )}
    </span>
  );
}
