import { Text } from '@mantine/core';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { ConfirmButton } from '../../kit/parts/dialog.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { useProposed } from '../proposal/proposals.tsx';
import type { FanData } from './fan-document.ts';

const COPY = graphql(`
  mutation ProposeFanCopy($fanId: ID!, $reason: String!) {
    proposeFanCopy(fanId: $fanId, reason: $reason) { ${REFUSAL} ... on Proposal { id } }
  }
`);

const DELETION = graphql(`
  mutation ProposeFanDeletion($fanId: ID!, $reason: String!) {
    proposeFanDeletion(fanId: $fanId, reason: $reason) { ${REFUSAL} ... on Proposal { id } }
  }
`);

const BUTTON = {
  right: 'proposals:write',
  confirmLabel: 'Propose',
  failureTitle: 'Nothing was proposed',
  reason: {
    label: 'Reason',
    description: 'How you know that it was the fan; no phone number. It is added to the audit log.',
    placeholder: 'Case 4711: the fan asked, and read a code out',
  },
} as const;

/** What a fan may ask support for: a copy of all data, and the end of the account. */
export function OwnData({ fan: { id: fanId, mode, deletedAt } }: { fan: FanData }) {
  const copy = useChange(COPY);
  const deletion = useChange(DELETION);
  const proposed = useProposed();
  if (mode === 'SANDBOX') return null;
  if (deletedAt !== null) {
    return (
      <Section title="Data">
        <Text size="sm">
          The fan deleted the account <Moment at={deletedAt} />. Nothing of a person is kept.
        </Text>
      </Section>
    );
  }
  return (
    <Section
      title="Data"
      actions={
        <>
          <ConfirmButton
            {...BUTTON}
            label="Copy the data"
            title="Copy the fan’s data"
            run={async (reason) => proposed(await copy.mutateAsync({ fanId, reason }))}
          >
            Once a second person has approved, both of you can download all that is kept about the fan, to give it to
            the fan.
          </ConfirmButton>
          <ConfirmButton
            {...BUTTON}
            label="Delete the account"
            title="Delete the fan’s account"
            run={async (reason) => proposed(await deletion.mutateAsync({ fanId, reason }))}
          >
            Once a second person has approved, every app loses its access, and numbers, passkeys and sign-ins are
            deleted. It is refused while the fan holds a ticket of a future event, or one is on sale or on its way.
          </ConfirmButton>
        </>
      }
    >
      <Text size="sm">Fans get a copy, and leave, in their portal. Propose it here for a fan who can’t.</Text>
    </Section>
  );
}
