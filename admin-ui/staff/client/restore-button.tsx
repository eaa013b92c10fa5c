import { Stack, Text } from '@mantine/core';
import { asDifferences } from '../../kit/client/registration.ts';
import { REFUSAL } from '../../kit/data/view.ts';
import { ChangeButton } from '../../kit/parts/dialog.tsx';
import { Diff } from '../../kit/parts/diff.tsx';
import { graphql } from '../data/graphql.ts';
import { type ClientData, type ReviewData, waitingEditOf } from './document.ts';

const RESTORE = graphql(`
  mutation RestoreRegistration($clientId: ID!, $reviewId: ID!, $version: Int!, $reason: String!) {
    restoreRegistration(clientId: $clientId, reviewId: $reviewId, version: $version, reason: $reason) { ${REFUSAL} }
  }
`);

/** Brings an earlier approved registration into force again; nothing where it is in force, or was not approved. */
export function RestoreButton({ client, review }: { client: ClientData; review: ReviewData | undefined }) {
  if (review?.decision !== 'APPROVED' || !review.changes?.length) return null;
  const { id: clientId, name, version } = client;
  return (
    <ChangeButton
      label="Restore"
      title={`Restore a registration of ${name}`}
      confirmLabel="Restore"
      isWide
      reason={{
        label: 'Reason',
        description: 'Why the earlier registration is needed again. It is added to the audit log.',
      }}
      right="clients:enable"
      fresh
      size="xs"
      change={RESTORE}
      variables={(reason) => ({ clientId, reviewId: review.id, version, reason })}
      done={`The earlier registration of ${name} is in force.`}
    >
      <Stack gap="sm">
        <Text size="sm">
          Two people approved this registration before, so it needs no review: it applies to the next sign-in. Name,
          logo and status stay.
          {waitingEditOf(client) && ' The edit waiting for review stays open.'}
        </Text>
        <Diff
          caption="What restoring changes"
          beforeTitle="In force"
          afterTitle="Restored"
          differences={asDifferences(review.changes)}
        />
      </Stack>
    </ChangeButton>
  );
}
