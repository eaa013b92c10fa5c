import { Text } from '@mantine/core';
import { useView } from '../../../../console-kit/data/view.ts';
import { findIn } from '../../../../console-kit/parts/found.tsx';
import { StateMark } from '../../../../console-kit/parts/marks.tsx';
import { Moment } from '../../../../console-kit/parts/moment.tsx';
import { Page } from '../../../../console-kit/parts/page.tsx';
import { Rows } from '../../../../console-kit/parts/rows.tsx';
import { Section } from '../../../../console-kit/parts/section.tsx';
import { graphql } from '../data/graphql.ts';

const PEOPLE = graphql(`
  query People {
    viewer { id partner { id name signIn } }
    members { id name email invitedAt joinedAt lastSignInAt isYou }
  }
`);

const WAYS = {
  EMAIL: 'Everybody signs in by a link in an e-mail.',
  PROVIDER: 'Everybody signs in with your company’s own sign-in service.',
};

/** Who of the partner uses the workspace, and how they sign in. */
export function PeoplePage() {
  const { found, instead } = findIn(useView('people', PEOPLE, {}), 'people', (data) => data);
  if (!found) return instead;
  const { members, viewer } = found;
  return (
    <Page
      title="People"
      description={`Who can open the workspace of ${viewer.partner.name}. Everybody here sees and changes the same.`}
    >
      <Rows
        caption="People"
        rows={members}
        columns={{
          Name: ({ name, isYou }) => (isYou ? `${name} (you)` : name),
          'E-mail': ({ email }) => <span className="breakable">{email}</span>,
          State: ({ joinedAt }) => (
            <StateMark tone={joinedAt === null ? 'waiting' : 'good'}>
              {joinedAt === null ? 'Invited' : 'Joined'}
            </StateMark>
          ),
          Since: ({ invitedAt, joinedAt }) => <Moment at={joinedAt ?? invitedAt} />,
          'Signed in': ({ lastSignInAt }) => (lastSignInAt === null ? 'never' : <Moment at={lastSignInAt} />),
        }}
      />
      <Section title="Sign-in and invitations">
        <Text size="sm">
          {WAYS[viewer.partner.signIn]} The people who run this service invite and remove members, and connect your
          company’s own OpenID Connect provider. Write to your contact there.
        </Text>
      </Section>
    </Page>
  );
}
