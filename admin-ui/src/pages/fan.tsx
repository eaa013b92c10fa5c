import { Tabs } from '@mantine/core';
import { useParams, useSearchParams } from 'wouter';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { FanClaims } from '../fan/fan-claims.tsx';
import { FanGrants } from '../fan/fan-grants.tsx';
import { FanListings } from '../fan/fan-listings.tsx';
import { FanSessions } from '../fan/fan-sessions.tsx';
import { FanSignatures } from '../fan/fan-signatures.tsx';
import { FanTickets } from '../fan/fan-tickets.tsx';
import { FanPhone } from '../fan/reveal-phone.tsx';
import { StoppedAlert } from '../kill-switch/stopped-alert.tsx';
import { Copyable, CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { ModeMark, StateMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { LinkButton, ViewLink } from '../parts/view-link.tsx';
import { storyOf } from '../places.ts';
import { findIn } from './found.tsx';

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
  const { found: fan, instead } = findIn(view, 'fan', (data) => data.fan);
  if (!fan) return instead;
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
          <LinkButton href={storyOf(fan.id)}>Timeline</LinkButton>
          <LinkButton href={killSwitch ? '/kill-switches' : `/kill-switches?stop=FAN&subject=${fan.id}`}>
            {killSwitch ? 'See the kill switch' : 'Stop this fan'}
          </LinkButton>
        </>
      }
    >
      <StoppedAlert killSwitch={killSwitch} />
      <Section title="Fan">
        <Facts
          of={{
            Phone: <FanPhone fan={fan} />,
            'Code of the test user': testUser ? <Copyable text={testUser.code} label="code" /> : undefined,
            'Test user of': testUser ? (
              <ViewLink href={`/partners/${testUser.partner.id}`}>{testUser.partner.name}</ViewLink>
            ) : undefined,
            'First seen': <Moment at={fan.createdAt} />,
            'Fan id': <CopyText text={fan.id} label="fan id" />,
            Wallet: fan.walletAddress ? <CopyText text={fan.walletAddress} label="wallet" /> : 'none',
          }}
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
