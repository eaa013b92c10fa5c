import { Text } from '@mantine/core';
import { useState } from 'react';
import type { View } from '../data/view.ts';
import { ActionButton, ConfirmDialog } from './dialog.tsx';
import { FailureAlert, ViewLoading } from './instead.tsx';
import { notify } from './notify.tsx';
import { Page, Section } from './page.tsx';
import { Facts, inUtc, Moment, StateMark } from './values.tsx';

interface OwnSession {
  id: string;
  isCurrent: boolean;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  browser: string | null;
  address: string | null;
  network: string | null;
  timeZone: string | null;
}

interface SessionsPageProps {
  view: View & { data: { mySessions: readonly OwnSession[] } | undefined };
  end: (id: string) => Promise<unknown>;
  signOut: () => Promise<void>;
}

/** The browsers in which the viewer is signed in, with a button to end each session. */
export function SessionsPage({ view, end, signOut }: SessionsPageProps) {
  const [asked, setAsked] = useState<string>();
  return (
    <Page
      title="My sessions"
      description="The browsers where you are signed in. End any session that you don’t recognize or no longer need."
    >
      <FailureAlert failure={view.error} title="Your sessions could not be loaded" retry={view.refetch} />
      {!view.data && !view.error && <ViewLoading />}
      {view.data?.mySessions.map((session) => (
        <Section
          isEntry
          key={session.id}
          title={session.browser ?? 'Unknown browser'}
          actions={
            <>
              {session.isCurrent && <StateMark tone="good">This browser</StateMark>}
              <ActionButton
                size="xs"
                variant="default"
                onClick={() =>
                  session.isCurrent
                    ? void signOut().catch(() => notify('Signing out did not work.'))
                    : setAsked(session.id)
                }
              >
                {session.isCurrent ? 'Sign out' : 'End session'}
              </ActionButton>
            </>
          }
        >
          <Facts
            of={{
              'Network address': addressOf(session),
              'Time zone': session.timeZone?.replaceAll('_', ' ') ?? undefined,
              'Signed in': <Moment at={session.createdAt} />,
              'Last used': <Moment at={session.lastSeenAt} />,
              Expires: inUtc(session.expiresAt),
            }}
          />
        </Section>
      ))}
      {asked !== undefined && (
        <ConfirmDialog
          title="End this session"
          confirmLabel="End session"
          dangerous
          run={async () => {
            await end(asked);
            notify('The session has ended.');
          }}
          onClose={() => setAsked(undefined)}
        >
          <Text size="sm">You will have to sign in again in that browser.</Text>
        </ConfirmDialog>
      )}
    </Page>
  );
}

function addressOf({ address, network }: OwnSession): string | undefined {
  if (address === null) return undefined;
  return network === null ? address : `${address} (${network})`;
}
