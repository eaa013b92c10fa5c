import { Anchor, Button, Code, SimpleGrid } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { Holder } from '../fan/holder.tsx';
import { nameOfTicket } from '../fan/names.ts';
import { RevokeGrant } from '../fan/revoke-grant.tsx';
import { GrantStateMark } from '../fan/states.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { ViewLoading } from '../parts/view-loading.tsx';
import { NotFoundPage } from './not-found.tsx';

const GRANT = graphql(`
  query Grant($id: ID!) {
    grant(id: $id) {
      id scope actions mode createdAt revokedAt revokedReason
      client { id name mode }
      fan { id phone testUser { phone } }
      tickets { id permit { id } ticketType { name event { name } } }
    }
    claims(grantId: $id, first: 0) { totalCount }
  }
`);

/** One grant: who allowed what to whom, and whether it lives. */
export function GrantPage() {
  const { id } = useParams<{ id: string }>();
  const view = useView('grant', GRANT, { id });
  if (view.error && !view.data) {
    return <FailureAlert failure={view.error} title="The grant could not be read" retry={view.refetch} />;
  }
  if (!view.data || view.isPlaceholderData) return <ViewLoading />;
  const { grant, claims } = view.data;
  if (!grant) return <NotFoundPage />;
  const asked = grant.scope.split(' ').filter((scope) => scope !== '');
  return (
    <Page
      title={`Grant to ${grant.client.name}`}
      above={[{ title: 'Grants', href: '/grants' }]}
      marks={
        <>
          <ModeMark mode={grant.client.mode} />
          <GrantStateMark grant={grant} />
        </>
      }
      actions={
        <>
          <Button component={Link} href={`/timeline?search=${grant.id}`} variant="default">
            Timeline
          </Button>
          <RevokeGrant grant={grant} />
        </>
      }
    >
      <Section title="Grant">
        <Facts
          of={[
            ['Grant id', <CopyText key="id" text={grant.id} label="grant id" labelled={false} />],
            ['Fan', <Holder key="fan" of={grant.fan} />],
            [
              'Client',
              <Anchor key="client" component={Link} href={`/clients/${grant.client.id}`} inherit>
                {grant.client.name}
              </Anchor>,
            ],
            ['Given', <Moment key="given" at={grant.createdAt} />],
            ...(grant.revokedAt === null ? [] : [['Ended', <Moment key="ended" at={grant.revokedAt} />] as const]),
            [
              'Claims under it',
              <Anchor key="claims" component={Link} href={`/claims?grant=${grant.id}`} inherit>
                {claims.totalCount.toLocaleString('en')}
              </Anchor>,
            ],
          ]}
        />
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section
          title="Asked for and allowed"
          description="The fan may refuse any action; sign-in itself is no action."
        >
          <ul className="plain-list">
            {asked.map((scope) => (
              <li key={scope} className="line">
                <Code>{scope}</Code>
                <span className="aside">{verdictOn(scope, grant.actions)}</span>
              </li>
            ))}
          </ul>
        </Section>
        <Section title="Tickets">
          {grant.mode === 'ALL_CURRENT_FUTURE' ? (
            <span className="aside">All that the fan has and will have.</span>
          ) : (
            <ul className="plain-list">
              {grant.tickets.map((ticket) => (
                <li key={ticket.id}>
                  <Anchor
                    component={Link}
                    href={ticket.permit ? `/permits/${ticket.permit.id}` : `/timeline?search=${ticket.id}`}
                    size="sm"
                  >
                    {nameOfTicket(ticket)}
                  </Anchor>
                </li>
              ))}
            </ul>
          )}
        </Section>
      </SimpleGrid>
    </Page>
  );
}

/** Scopes with a colon's prefix `fan` are actions, which fans allow or refuse one by one. */
function verdictOn(scope: string, actions: readonly string[]): string {
  if (!scope.startsWith('fan:')) return 'comes with signing in';
  return actions.includes(scope) ? 'allowed' : 'refused';
}
