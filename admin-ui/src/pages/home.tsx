import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { ClientStatusMark } from '../../../console-kit/client/status.tsx';
import { useView } from '../../../console-kit/data/view.ts';
import { FailureAlert } from '../../../console-kit/parts/failure-alert.tsx';
import { ModeMark } from '../../../console-kit/parts/marks.tsx';
import { Moment } from '../../../console-kit/parts/moment.tsx';
import { Page } from '../../../console-kit/parts/page.tsx';
import { Section } from '../../../console-kit/parts/section.tsx';
import { ViewLoading } from '../../../console-kit/parts/view-loading.tsx';
import { graphql } from '../data/graphql.ts';
import { useViewer } from '../data/viewer.ts';

const HOME = graphql(`
  query Home {
    reviewQueue(first: 5) {
      totalCount
      nodes { id mayApprove submittedAt client { id name } }
    }
    proposalQueue(first: 5) {
      totalCount
      nodes { id title subjectName proposedAt isYours }
    }
    recent: clients(first: 6) {
      totalCount
      nodes { id name mode status createdAt killSwitch { id } partner { id name } }
    }
    production: clients(first: 0, mode: PRODUCTION, status: [ENABLED]) { totalCount }
    suspended: clients(first: 0, status: [SUSPENDED]) { totalCount }
    approved: clients(first: 0, status: [APPROVED]) { totalCount }
    partners(first: 0) { totalCount }
  }
`);

/** Figures, open reviews and new clients. */
export function HomePage() {
  const view = useView('home', HOME, {});
  const { viewer } = useViewer();
  const { data } = view;
  if (view.error && !data) return <FailureAlert failure={view.error} retry={view.refetch} />;
  if (!data) return <ViewLoading />;
  const figures = [
    { label: 'Partners', figure: data.partners.totalCount, href: '/partners' },
    { label: 'Clients', figure: data.recent.totalCount, href: '/clients' },
    {
      label: 'Enabled in production',
      figure: data.production.totalCount,
      href: '/clients?mode=PRODUCTION&status=ENABLED',
    },
    { label: 'Waiting for review', figure: data.reviewQueue.totalCount, href: '/reviews' },
    { label: 'Proposals waiting', figure: data.proposalQueue.totalCount, href: '/proposals' },
    { label: 'Approved, not enabled', figure: data.approved.totalCount, href: '/clients?status=APPROVED' },
    { label: 'Suspended', figure: data.suspended.totalCount, href: '/clients?status=SUSPENDED' },
  ];
  return (
    <Page title="Home" description={`Signed in as ${viewer.name}, ${viewer.role.toLowerCase()}.`}>
      <ul className="figures" aria-label="Figures">
        {figures.map(({ label, figure, href }) => (
          <li key={label}>
            <Link href={href}>
              <span className="figure">{figure.toLocaleString('en')}</span> <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section title="Waiting for a decision">
          {data.reviewQueue.nodes.length + data.proposalQueue.nodes.length === 0 ? (
            <Text size="sm" c="dimmed">
              No production clients are waiting for review, and no proposals for a second person.
            </Text>
          ) : (
            <ul className="plain-list">
              {data.proposalQueue.nodes.map(({ id, title, subjectName, proposedAt, isYours }) => (
                <li key={id} className="line">
                  <Stack gap={0}>
                    <Anchor component={Link} href={`/proposals/${id}`} size="sm">
                      {title}
                    </Anchor>
                    <span className="aside">{subjectName}</span>
                  </Stack>
                  <span className="aside">
                    {isYours && 'you proposed it · '}
                    <Moment at={proposedAt} />
                  </span>
                </li>
              ))}
              {data.reviewQueue.nodes.map(({ id, client, submittedAt, mayApprove }) => (
                <li key={id} className="line">
                  <Anchor component={Link} href={`/clients/${client.id}?tab=review`} size="sm">
                    {client.name}
                  </Anchor>
                  <span className="aside">
                    {!mayApprove && 'you can’t approve · '}
                    <Moment at={submittedAt} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Section>
        <Section title="Newest clients">
          {data.recent.nodes.length === 0 && (
            <Text size="sm" c="dimmed">
              No clients yet.
            </Text>
          )}
          <ul className="plain-list">
            {data.recent.nodes.map(({ id, name, mode, status, killSwitch, partner }) => (
              <li key={id} className="line">
                <Stack gap={0}>
                  <Anchor component={Link} href={`/clients/${id}`} size="sm">
                    {name}
                  </Anchor>
                  <span className="aside">{partner.name}</span>
                </Stack>
                <span className="marks">
                  <ClientStatusMark status={status} stopped={killSwitch !== null} />
                  <ModeMark mode={mode} />
                </span>
              </li>
            ))}
          </ul>
        </Section>
      </SimpleGrid>
    </Page>
  );
}
