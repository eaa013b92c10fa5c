import { graphql } from '../data/graphql.ts';
import { REFUSAL, useView } from '../data/view.ts';
import { ActionButton, ChangeButton } from '../parts/dialog.tsx';
import { Waiting } from '../parts/instead.tsx';
import { notify } from '../parts/notify.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Facts, inUtc, Moment, StateMark } from '../parts/values.tsx';
import { signOut } from './sign-out.ts';

const SESSIONS = graphql(`
  query Sessions {
    mySessions { id isCurrent createdAt lastSeenAt expiresAt browser address network timeZone }
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
  return (
    <Page
      title="My sessions"
      description="The browsers where you are signed in. End any session that you don’t recognize or no longer need."
    >
      <Waiting view={view} title="Your sessions could not be loaded" />
      {view.data?.mySessions.map((session) => (
        <Section
          isEntry
          key={session.id}
          title={session.browser ?? 'Unknown browser'}
          actions={
            <>
              {session.isCurrent && <StateMark tone="good">This browser</StateMark>}
              {session.isCurrent ? (
                <ActionButton size="xs" onClick={() => void signOut().catch(() => notify('Signing out did not work.'))}>
                  Sign out
                </ActionButton>
              ) : (
                <ChangeButton
                  size="xs"
                  title="End this session"
                  confirmLabel="End session"
                  dangerous
                  change={END}
                  variables={() => ({ id: session.id })}
                  done="The session has ended."
                >
                  You will have to sign in again in that browser.
                </ChangeButton>
              )}
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
    </Page>
  );
}

function addressOf({ address, network }: { address: string | null; network: string | null }): string | undefined {
  if (address === null) return undefined;
  return network === null ? address : `${address} (${network})`;
}
