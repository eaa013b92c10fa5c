import { Paper, Text } from '@mantine/core';
import { IconLogin2, IconSignature } from '@tabler/icons-react';
import { PAGE, useView } from '../../kit/data/view.ts';
import { EmptyState, FailureAlert, ViewLoading } from '../../kit/parts/instead.tsx';
import { ListTable } from '../../kit/parts/list.tsx';
import { TextLink } from '../../kit/parts/page.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { IdChip, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { LoginStepMark } from './tickets.tsx';

const SESSIONS = graphql(`
  query FanSessions($id: ID!, ${PAGE.variables}) {
    fan(id: $id) {
      sessions(${PAGE.args}) {
        ${PAGE.fields}
        nodes { id step codesSent wrongTries createdAt expiresAt client { id name } }
      }
    }
  }
`);

/** Sign-ins that got as far as the phone number. */
export function FanSessions({ fanId }: { fanId: string }) {
  const list = useList({
    document: SESSIONS,
    variables: (page) => ({ id: fanId, ...page }),
    connection: ({ fan }) => fan?.sessions,
  });
  return (
    <ListTable
      caption="Sign-ins"
      list={list}
      href={({ id }) => `/timeline?search=${id}`}
      columns={{
        Client: ({ client }) => client.name,
        'Last step': (session) => <LoginStepMark {...session} />,
        'Codes sent': ({ codesSent }) => codesSent,
        'Wrong codes': ({ wrongTries }) => wrongTries,
        Session: ({ id }) => <IdChip id={id} />,
        Begun: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      numeric={['Codes sent', 'Wrong codes']}
      emptyIcon={<IconLogin2 />}
      emptyTitle="No recent sign-ins"
      emptyText="Sign-ins are kept for a short time. Completed ones appear under Grants."
    />
  );
}

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
              asked for by <TextLink href={`/grants/${grant.id}`}>{grant.client.name}</TextLink>,{' '}
              <Moment at={signedAt} />, <TextLink href={`/permits/${permit.id}`}>the permit</TextLink>
            </span>
          </li>
        ))}
      </ul>
    </Paper>
  );
}
