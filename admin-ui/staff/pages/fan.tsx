import { ArrowRightEndOnRectangleIcon, PencilSquareIcon } from '@heroicons/react/24/outline';
import { Button, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { failureOf } from '../../kit/data/call.ts';
import { PAGE, REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { ActionButton, ChangeButton, DialogButton, FormDialog, ReasonField } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { EmptyState, FailureAlert, useNamed, ViewLoading } from '../../kit/parts/instead.tsx';
import { ListTable } from '../../kit/parts/list.tsx';
import { LinkButton, Page, Section, TextLink } from '../../kit/parts/page.tsx';
import { PageTabs } from '../../kit/parts/page-tabs.tsx';
import { Copyable, CopyText } from '../../kit/parts/text.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { Facts, IdChip, Moment, StateMark } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { FAN } from '../fan/fan-document.ts';
import { NumberAndPasskeys } from '../fan/number-and-passkeys.tsx';
import { OwnData } from '../fan/own-data.tsx';
import { ENDS_SALES } from '../fan/sales.tsx';
import { LoginStepMark, PartnerLink } from '../fan/tickets.tsx';
import { StoppedAlert } from '../kill-switch/kill-switches.tsx';
import { storyOf } from '../places.ts';
import { ClaimsOf } from './claims.tsx';
import { FanGrants } from './grants.tsx';
import { FanListings } from './listings.tsx';
import { FanTickets } from './tickets.tsx';

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
  const [, navigate] = useLocation();
  const { found, instead } = useNamed('fan', FAN, ({ fan, proposals }) => fan && { fan, open: proposals.nodes[0] });
  if (!found) return instead;
  const { fan, open } = found;
  const { killSwitch, testUser } = fan;
  return (
    <Page
      title={testUser?.phone ?? fan.phone}
      above={[{ title: 'Fans', href: '/fans' }]}
      mode={fan.mode}
      marks={
        <>
          {killSwitch && <StateMark tone="bad">Stopped</StateMark>}
          {fan.deletedAt !== null && <StateMark tone="quiet">Left</StateMark>}
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
            'Test user of': testUser ? <PartnerLink of={testUser.partner} /> : undefined,
            'First seen': <Moment at={fan.createdAt} />,
            'Fan ID': <CopyText text={fan.id} label="fan ID" />,
            Wallet: fan.walletAddress ? <CopyText text={fan.walletAddress} label="wallet" /> : 'none',
          }}
        />
      </Section>
      {fan.deletedAt === null && <NumberAndPasskeys fan={fan} openProposal={open?.id} />}
      <OwnData fan={fan} />
      <PageTabs tabs={TABS.map(({ view: List, ...tab }) => ({ ...tab, content: <List fanId={fan.id} /> }))} />
    </Page>
  );
}

const END_ALL = graphql(`
  mutation EndAllAccess($fanId: ID!, $reason: String!, $keepsSales: Boolean!) {
    endAllAccess(fanId: $fanId, reason: $reason, keepsSales: $keepsSales) { ${REFUSAL} ... on Fan { id } }
  }
`);

const SIGN_OUT = graphql(`
  mutation SignOutFan($fanId: ID!, $reason: String!) {
    signOutFan(fanId: $fanId, reason: $reason) { ${REFUSAL} ... on Fan { id } }
  }
`);

const BUTTON = {
  right: 'grants:revoke',
  reason: {
    label: 'Reason',
    description: 'Your name and this reason are added to the audit log.',
    placeholder: 'Case 4711: the phone was stolen',
  },
} as const;

/** For a fan whose phone is lost or stolen: the apps, and the fan's own sessions. */
function EndAccess({ fanId }: { fanId: string }) {
  return (
    <>
      <ChangeButton
        {...BUTTON}
        title="End all access"
        confirmLabel="End all access"
        dangerous
        option={{ ...ENDS_SALES, label: 'Take off sale what apps put on sale' }}
        change={END_ALL}
        variables={(reason, endsSales) => ({ fanId, reason, keepsSales: !endsSales })}
        done="No app has access any more."
      >
        Every app loses its access with its next call. This can’t be undone; the fan can allow access again by signing
        in. Tickets stay.
      </ChangeButton>
      <ChangeButton
        {...BUTTON}
        title="Sign out everywhere"
        confirmLabel="Sign out everywhere"
        change={SIGN_OUT}
        variables={(reason) => ({ fanId, reason })}
        done="The fan is signed out everywhere."
      >
        Visits to “Your tickets and apps” and sign-ins under way end in every browser. Apps keep their access, and
        passkeys stay: remove those of a lost device below.
      </ChangeButton>
    </>
  );
}

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
function FanSessions({ fanId }: { fanId: string }) {
  const list = useList({
    document: SESSIONS,
    of: { id: fanId },
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
      emptyIcon={<ArrowRightEndOnRectangleIcon />}
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
function FanSignatures({ fanId }: { fanId: string }) {
  const view = useView('fan-signatures', FAN_SIGNATURES, { id: fanId });
  if (view.error && !view.data) {
    return <FailureAlert failure={view.error} title="Signatures could not be loaded" retry={view.refetch} />;
  }
  if (!view.data || view.isPlaceholderData) return <ViewLoading />;
  const signatures = view.data.fan?.listingSignatures ?? [];
  if (signatures.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState icon={<PencilSquareIcon />} title="No signatures">
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

const REVEAL_PHONE = graphql(`
  mutation RevealPhone($fanId: ID!, $reason: String!, $bulkReason: String) {
    revealPhone(fanId: $fanId, reason: $reason, bulkReason: $bulkReason) {
      ${REFUSAL} ... on RevealedPhone { phone }
    }
  }
`);

/** The masked phone of a fan, and a button that reveals it until it is hidden or this view is left. */
function FanPhone({ fan }: { fan: { id: string; phone: string; testUser: { phone: string } | null } }) {
  const [whole, setWhole] = useState<string>();
  if (fan.testUser) return <Copyable text={fan.testUser.phone} label="phone" />;
  if (whole !== undefined) {
    return (
      <span className="line-start">
        <Copyable text={whole} label="phone" />
        <Button size="compact-sm" variant="subtle" onClick={() => setWhole(undefined)}>
          Hide
        </Button>
      </span>
    );
  }
  return (
    <span className="line-start">
      {fan.phone}
      <DialogButton
        size="compact-sm"
        right="fans:reveal"
        dialog={(close) => <RevealForm fanId={fan.id} onRevealed={setWhole} onClose={close} />}
      >
        Reveal
      </DialogButton>
    </span>
  );
}

interface RevealFormProps {
  fanId: string;
  onRevealed: (phone: string) => void;
  onClose: () => void;
}

function RevealForm({ fanId, onRevealed, onClose }: RevealFormProps) {
  const [isBulk, setBulk] = useState(false);
  const reveal = useChange(REVEAL_PHONE);
  const needed = (text: string) => (text.trim() === '' ? 'Enter a reason.' : null);
  const form = useSendForm({
    initialValues: { reason: '', bulkReason: '' },
    validate: { reason: needed, bulkReason: (text) => (isBulk ? needed(text) : null) },
    send: async ({ reason, bulkReason }) => {
      try {
        const { phone } = await reveal.mutateAsync({ fanId, reason, bulkReason: bulkReason || null });
        onRevealed(phone);
      } catch (error) {
        if (failureOf(error).code === 'reason_required') setBulk(true);
        throw error;
      }
    },
    onClose,
  });
  return (
    <FormDialog
      title="Reveal the phone number"
      confirmLabel="Reveal"
      failureTitle="The number was not shown"
      form={form}
    >
      <Text size="sm">Phone numbers are masked everywhere else in the console.</Text>
      <ReasonField
        description="Your name and this reason are added to the audit log."
        placeholder="Case 4711: calling the fan back"
        data-autofocus
        {...form.getInputProps('reason')}
      />
      {isBulk && (
        <ReasonField
          label="Why so many numbers"
          description="For this and the next 20 numbers. It is added to the audit log."
          placeholder="Calling everybody whose seat was double-booked"
          {...form.getInputProps('bulkReason')}
        />
      )}
    </FormDialog>
  );
}
