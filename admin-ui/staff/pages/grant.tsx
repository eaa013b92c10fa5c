import { Code, Group, SimpleGrid } from '@mantine/core';
import { useNamed } from '../../kit/parts/instead.tsx';
import { LinkButton, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { RevokeGrant } from '../fan/revoke-grant.tsx';
import { GrantStateMark, Holder, nameOfTicket } from '../fan/tickets.tsx';
import { storyOf } from '../places.ts';

const GRANT = graphql(`
  query Grant($id: ID!) {
    grant(id: $id) {
      id scope actions mode createdAt revokedAt revokedReason
      client { id name mode }
      fan { id phone testUser { phone } }
      tickets { id ticketType { name event { name } } }
    }
    claims(grantId: $id, first: 0) { totalCount }
  }
`);

/** One grant: who allowed what to whom, and whether it is active. */
export function GrantPage() {
  const { found, instead } = useNamed('grant', GRANT, ({ grant, claims }) => grant && { grant, claims });
  if (!found) return instead;
  const { grant, claims } = found;
  const asked = grant.scope.split(' ').filter((scope) => scope !== '');
  return (
    <Page
      title={`Grant to ${grant.client.name}`}
      above={[{ title: 'Grants', href: '/grants' }]}
      mode={grant.client.mode}
      marks={<GrantStateMark grant={grant} />}
      actions={
        <>
          <LinkButton href={storyOf(grant.id)}>Timeline</LinkButton>
          <RevokeGrant grant={grant} />
        </>
      }
    >
      <Section title="Grant">
        <Facts
          of={{
            'Grant ID': <CopyText text={grant.id} label="grant ID" />,
            Fan: <Holder of={grant.fan} />,
            Client: <ViewLink href={`/clients/${grant.client.id}`}>{grant.client.name}</ViewLink>,
            Given: <Moment at={grant.createdAt} />,
            Ended: grant.revokedAt === null ? undefined : <Moment at={grant.revokedAt} />,
            Claims: <ViewLink href={`/claims?grant=${grant.id}`}>{claims.totalCount.toLocaleString('en')}</ViewLink>,
          }}
        />
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section
          title="Asked for and allowed"
          description="The fan can refuse an action at consent, and turn it off or on later."
        >
          <ul className="plain-list">
            {asked.map((scope) => (
              <Group key={scope} component="li" justify="space-between" wrap="nowrap" gap="sm">
                <Code>{scope}</Code>
                <span className="aside">{verdictOn(scope, grant.actions)}</span>
              </Group>
            ))}
          </ul>
        </Section>
        <Section title="Tickets">
          {grant.mode === 'ALL_CURRENT_FUTURE' ? (
            <span className="aside">All tickets that the fan has now or gets later.</span>
          ) : (
            <ul className="plain-list">
              {grant.tickets.map((ticket) => (
                <li key={ticket.id}>
                  <ViewLink href={`/tickets/${ticket.id}`} size="sm">
                    {nameOfTicket(ticket)}
                  </ViewLink>
                </li>
              ))}
            </ul>
          )}
        </Section>
      </SimpleGrid>
    </Page>
  );
}

/** Scopes that begin with `fan:` are actions, which fans allow or refuse one by one. */
function verdictOn(scope: string, actions: readonly string[]): string {
  if (!scope.startsWith('fan:')) return 'included with sign-in';
  return actions.includes(scope) ? 'allowed' : 'not allowed';
}
