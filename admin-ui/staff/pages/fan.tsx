import { useLocation, useParams } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { ActionButton } from '../../kit/parts/dialog.tsx';
import { findIn } from '../../kit/parts/instead.tsx';
import { LinkButton, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { PageTabs } from '../../kit/parts/page-tabs.tsx';
import { Copyable, CopyText } from '../../kit/parts/text.tsx';
import { Facts, ModeMark, Moment, StateMark } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { EndAccess } from '../fan/end-access.tsx';
import { FanSessions, FanSignatures } from '../fan/fan-lists.tsx';
import { NumberAndPasskeys } from '../fan/number-and-passkeys.tsx';
import { FanPhone } from '../fan/reveal-phone.tsx';
import { StoppedAlert } from '../kill-switch/kill-switches.tsx';
import { storyOf } from '../places.ts';
import { ClaimsOf } from './claims.tsx';
import { FanGrants } from './grants.tsx';
import { FanListings } from './listings.tsx';
import { FanTickets } from './tickets.tsx';

const FAN = graphql(`
  query Fan($id: ID!) {
    fan(id: $id) {
      id mode phone createdAt walletAddress
      testUser { phone code partner { id name } }
      killSwitch { reason setAt setBy { name } }
      numberProvedAt numberVouchedAt numberIsOld
      formerNumbers { phone givenUpAt reason }
      passkeys { id name createdAt lastUsedAt }
    }
    proposals(subject: $id, state: [PROPOSED, APPROVED], first: 1) { nodes { id state } }
  }
`);

const FanClaims = ({ fanId }: { fanId: string }) => <ClaimsOf of={{ fanId }} without={['Fan', 'Created']} />;

/** The lists of a fan. */
const TABS = [
  { name: 'grants', title: 'Grants', view: FanGrants },
  { name: 'sessions', title: 'Sign-ins', view: FanSessions },
  { name: 'tickets', title: 'Tickets', view: FanTickets },
  { name: 'listings', title: 'Listings', view: FanListings },
  { name: 'signatures', title: 'Signatures', view: FanSignatures },
  { name: 'claims', title: 'Claims', view: FanClaims },
];

/** One fan, with lists of grants, sign-ins and so on. `?tab=` names the list. */
export function FanPage() {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const view = useView('fan', FAN, { id });
  const { found, instead } = findIn(view, 'fan', ({ fan, proposals }) => fan && { fan, open: proposals.nodes[0] });
  if (!found) return instead;
  const { fan, open } = found;
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
          <EndAccess fanId={fan.id} />
          {killSwitch ? (
            <LinkButton href="/kill-switches">See the kill switch</LinkButton>
          ) : (
            <ActionButton right="switches:write" onClick={() => navigate(`/kill-switches?stop=FAN&subject=${fan.id}`)}>
              Stop this fan
            </ActionButton>
          )}
        </>
      }
    >
      <StoppedAlert killSwitch={killSwitch} />
      <Section title="Fan">
        <Facts
          of={{
            Phone: <FanPhone fan={fan} />,
            'Test user’s code': testUser ? <Copyable text={testUser.code} label="code" /> : undefined,
            'Test user of': testUser ? <OwnerOf testUser={testUser} /> : undefined,
            'First seen': <Moment at={fan.createdAt} />,
            'Fan ID': <CopyText text={fan.id} label="fan ID" />,
            Wallet: fan.walletAddress ? <CopyText text={fan.walletAddress} label="wallet" /> : 'none',
          }}
        />
      </Section>
      <NumberAndPasskeys fan={fan} openProposal={open?.id} />
      <PageTabs tabs={TABS.map(({ view: List, ...tab }) => ({ ...tab, content: <List fanId={fan.id} /> }))} />
    </Page>
  );
}

function OwnerOf({ testUser: { partner } }: { testUser: { partner: { id: string; name: string } | null } }) {
  return partner ? <ViewLink href={`/partners/${partner.id}`}>{partner.name}</ViewLink> : 'all partners';
}
