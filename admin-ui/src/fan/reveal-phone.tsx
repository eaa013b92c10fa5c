import { Button } from '@mantine/core';
import { useState } from 'react';
import { graphql, REFUSAL } from '../data/graphql.ts';
import { useChange } from '../data/view.ts';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import { Copyable } from '../parts/copy-text.tsx';

const REVEAL_PHONE = graphql(`
  mutation RevealPhone($fanId: ID!, $reason: String!) {
    revealPhone(fanId: $fanId, reason: $reason) { ${REFUSAL} ... on RevealedPhone { phone } }
  }
`);

/** The masked phone of a fan, and a button that reveals it until it is hidden or this view is left. */
export function FanPhone({ fan }: { fan: { id: string; phone: string; testUser: { phone: string } | null } }) {
  const [whole, setWhole] = useState<string>();
  const reveal = useChange(REVEAL_PHONE);
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
      <ConfirmButton
        size="compact-sm"
        variant="default"
        right="fans:reveal"
        title="Reveal the phone number"
        confirmLabel="Reveal"
        reason={{
          label: 'Reason',
          description: 'Your name and this reason are added to the audit log.',
          placeholder: 'Case 4711: calling the fan back',
        }}
        run={async (reason) => {
          const { phone } = await reveal.mutateAsync({ fanId: fan.id, reason });
          setWhole(phone);
        }}
      >
        Phone numbers are masked everywhere else in the console.
      </ConfirmButton>
    </span>
  );
}
