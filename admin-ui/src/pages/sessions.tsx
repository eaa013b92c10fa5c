import { Text } from '@mantine/core';
import { useState } from 'react';
import { signOut } from '../address.ts';
import { graphql, REFUSAL } from '../data/graphql.ts';
import { useChange, useView } from '../data/view.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { StateMark } from '../parts/marks.tsx';
import { inUtc, Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { notify } from '../parts/undo.tsx';
import { ViewLoading } from '../parts/view-loading.tsx';

const SESSIONS = graphql(`
  query Sessions {
    mySessions { id isCurrent createdAt lastSeenAt expiresAt }
  }
`);

const END = graphql(`
  mutation EndMySession($id: ID!) {
    endMySession(id: $id) { ${REFUSAL} ... on Viewer { id } }
  }
`);

/** The browsers in which the viewer is signed in, with a button to end each session. */
export function SessionsPage() {
  const view = useView('sessions', SESSIONS, {});
  const end = useChange(END);
  const [asked, setAsked] = useState<string>();
  return (
    <Page
      title="My sessions"
      description="The browsers in which you are signed in. End one that you do not know, or that you left open."
    >
      <FailureAlert failure={view.error} title="Your sessions could not be read" retry={view.refetch} />
      {!view.data && !view.error && <ViewLoading />}
      {view.data?.mySessions.map(({ id, isCurrent, createdAt, lastSeenAt, expiresAt }) => (
        <Section
          key={id}
          title={isCurrent ? 'This browser' : 'Another browser'}
          actions={
            <>
              {isCurrent && <StateMark tone="good">You are here</StateMark>}
              <ActionButton
                size="xs"
                variant="default"
                onClick={() =>
                  isCurrent ? void signOut().catch(() => notify('Signing out did not work.')) : setAsked(id)
                }
              >
                {isCurrent ? 'Sign out' : 'End it'}
              </ActionButton>
            </>
          }
        >
          <Facts
            of={{
              'Signed in': <Moment at={createdAt} />,
              'Last used': <Moment at={lastSeenAt} />,
              'Ends at the latest': inUtc(expiresAt),
            }}
          />
        </Section>
      ))}
      {asked !== undefined && (
        <ConfirmDialog
          title="End the session"
          confirmLabel="End it"
          run={async () => {
            await end.mutateAsync({ id: asked });
            notify('That browser is signed out.');
          }}
          onClose={() => setAsked(undefined)}
        >
          <Text size="sm">What is open in that browser asks for a sign-in with its next call.</Text>
        </ConfirmDialog>
      )}
    </Page>
  );
}
