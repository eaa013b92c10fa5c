import { Button } from '@mantine/core';
import { useState } from 'react';
import { REFUSAL } from '../../../console-kit/data/document.ts';
import { useChange } from '../../../console-kit/data/view.ts';
import { ConfirmButton } from '../../../console-kit/parts/confirm-dialog.tsx';
import { Copyable } from '../../../console-kit/parts/copy-text.tsx';
import { graphql } from '../data/graphql.ts';

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
