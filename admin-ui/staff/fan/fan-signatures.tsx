import { Anchor, Paper, Text } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { EmptyState, FailureAlert, ViewLoading } from '../../kit/parts/instead.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';

const FAN_SIGNATURES = graphql(`
  query FanSignatures($id: ID!) {
    fan(id: $id) {
      listingSignatures { messageHash action sentence signedAt grant { id client { name } } permit { id } }
    }
  }
`);

/** The newest hundred co-signatures in the fan's name, as sentences. */
export function FanSignatures({ fanId }: { fanId: string }) {
  const view = useView('fan-signatures', FAN_SIGNATURES, { id: fanId });
  if (view.error && !view.data) {
    return <FailureAlert failure={view.error} title="Signatures could not be loaded" retry={view.refetch} />;
  }
  if (!view.data || view.isPlaceholderData) return <ViewLoading />;
  const signatures = view.data.fan?.listingSignatures ?? [];
  if (signatures.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState icon={<IconSignature />} title="No signatures">
          Listings and cancellations that a client requests are checked and co-signed. Each one is described here.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Paper withBorder p="md">
      <ul className="plain-list" aria-label="Signatures">
        {signatures.map(({ messageHash, sentence, signedAt, grant, permit }) => (
          <li key={messageHash}>
            <Text size="sm" className="breakable">
              {sentence}
            </Text>
            <span className="aside">
              asked for by{' '}
              <Anchor component={Link} href={`/grants/${grant.id}`} inherit underline="always">
                {grant.client.name}
              </Anchor>
              , <Moment at={signedAt} />,{' '}
              <Anchor component={Link} href={`/permits/${permit.id}`} inherit underline="always">
                the permit
              </Anchor>
            </span>
          </li>
        ))}
      </ul>
    </Paper>
  );
}
