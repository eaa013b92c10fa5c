import { Alert, Anchor, Button, Tabs, Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { Link, useParams, useSearchParams } from 'wouter';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { FanClaims, FanGrants, FanListings, FanSessions, FanTickets } from '../fan/fan-lists.tsx';
import { FanSignatures } from '../fan/fan-signatures.tsx';
import { FanPhone } from '../fan/reveal-phone.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Facts } from '../parts/facts.tsx';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { ModeMark, StateMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { ViewLoading } from '../parts/view-loading.tsx';
import { NotFoundPage } from './not-found.tsx';

const FAN = graphql(`
  query Fan($id: ID!) {
    fan(id: $id) {
      id mode phone createdAt walletAddress
      testUser { phone code partner { id name } }
      killSwitch { reason setAt setBy { name } }
    }
  }
`);

/** What there is of a fan, each in a list of its own. */
const TABS = [
  { value: 'grants', title: 'Grants', view: FanGrants },
  { value: 'sessions', title: 'Sign-ins', view: FanSessions },
  { value: 'tickets', title: 'Tickets', view: FanTickets },
  { value: 'listings', title: 'Listings', view: FanListings },
  { value: 'signatures', title: 'Signatures', view: FanSignatures },
  { value: 'claims', title: 'Claims', view: FanClaims },
];

/** One fan: who it is, and everything that hangs on them. `?tab=` names the part. */
export function FanPage() {
  const { id } = useParams<{ id: string }>();
  const [params, setParams] = useSearchParams();
  const view = useView('fan', FAN, { id });
  if (view.error && !view.data) {
    return <FailureAlert failure={view.error} title="The fan could not be read" retry={view.refetch} />;
  }
  if (!view.data || view.isPlaceholderData) return <ViewLoading />;
  const { fan } = view.data;
  if (!fan) return <NotFoundPage />;
  const tab = TABS.find(({ value }) => value === params.get('tab'))?.value ?? 'grants';
  const { killSwitch, testUser } = fan;
  return (
    <Page
      title={testUser?.phone ?? fan.phone}
      above={[{ title: 'Fans', href: '/fans' }]}
      marks={
        <>
          <ModeMark mode={fan.mode} />
          {killSwitch && <StateMark tone="bad">Stopped</StateMark>}
        </>
      }
      actions={
        <>
          <Button component={Link} href={`/timeline?search=${fan.id}`} variant="default">
            Timeline
          </Button>
          <Button
            component={Link}
            href={killSwitch ? '/kill-switches' : `/kill-switches?stop=FAN&subject=${fan.id}`}
            variant="default"
          >
            {killSwitch ? 'See the kill switch' : 'Stop this fan'}
          </Button>
        </>
      }
    >
      {killSwitch && (
        <Alert color="red" variant="light" icon={<IconHandStop aria-hidden />} title="Stopped by a kill switch">
          <Text size="sm">
            {killSwitch.reason} ({killSwitch.setBy?.name ?? 'the system'}, <Moment at={killSwitch.setAt} />)
          </Text>
        </Alert>
      )}
      <Section title="Fan">
        <Facts
          of={[
            ['Phone', <FanPhone key="phone" fan={fan} />],
            ...(testUser
              ? [
                  ['Code of the test user', <Copyable key="code" text={testUser.code} label="code" />] as const,
                  [
                    'Test user of',
                    <Anchor key="partner" component={Link} href={`/partners/${testUser.partner.id}`} inherit>
                      {testUser.partner.name}
                    </Anchor>,
                  ] as const,
                ]
              : []),
            ['First seen', <Moment key="at" at={fan.createdAt} />],
            ['Fan id', <CopyText key="id" text={fan.id} label="fan id" labelled={false} />],
            [
              'Wallet',
              fan.walletAddress ? (
                <CopyText key="wallet" text={fan.walletAddress} label="wallet" labelled={false} />
              ) : (
                'none'
              ),
            ],
          ]}
        />
      </Section>
      <Tabs
        value={tab}
        onChange={(next) => setParams(next && next !== 'grants' ? { tab: next } : {})}
        keepMounted={false}
      >
        <Tabs.List>
          {TABS.map(({ value, title }) => (
            <Tabs.Tab key={value} value={value}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ value, view: Part }) => (
          <Tabs.Panel key={value} value={value} pt="md">
            <Part fanId={fan.id} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
