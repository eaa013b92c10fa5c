import { SignalIcon } from '@heroicons/react/24/outline';
import type { ResultOf } from 'gql.tada';
import { useView } from '../../kit/data/view.ts';
import { EmptyState, Waiting } from '../../kit/parts/instead.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { IdChip, Moment, StateMark } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';

const FOLLOWERS = graphql(`
  query FeedFollowers {
    feedFollowers { id accountId name event seenAt snapshotAt behind hasMore behindSince }
  }
`);

type Follower = ResultOf<typeof FOLLOWERS>['feedFollowers'][number];

/** A follower calls again after half a minute at the latest. */
const SILENT_AFTER_MS = 2 * 60_000;

/** The company's systems that follow the feed of tickets, and how far behind they are. */
export function FollowersPage() {
  const view = useView('followers', FOLLOWERS, {}, { refetchInterval: 5_000 });
  const followers = view.data?.feedFollowers;
  return (
    <Page
      title="Feed followers"
      description="The company’s own systems that read what becomes of its tickets, such as the gates. A gate that is behind lets people in by old data."
    >
      <Waiting view={view} title="The followers could not be loaded" />
      {followers?.length === 0 && (
        <EmptyState icon={<SignalIcon />} title="Nobody follows yet">
          A service account with the right inventory:read follows with{' '}
          <code>npm run inventory -- follow --cursor FILE</code>, or by the two calls that docs/inventory.md describes.
        </EmptyState>
      )}
      {followers !== undefined && followers.length > 0 && (
        <Rows
          caption="Feed followers"
          rows={followers}
          columns={{
            Account: ({ name }) => name,
            State: (follower) => <FollowerState {...follower} />,
            Event: ({ event }) => <span className="breakable">{event ?? 'All'}</span>,
            'Unread since': ({ behindSince }) => (behindSince === null ? '–' : <Moment at={behindSince} />),
            'Last call': ({ seenAt }) => <Moment at={seenAt} />,
            'Last snapshot': ({ snapshotAt }) => (snapshotAt === null ? '–' : <Moment at={snapshotAt} />),
            ID: ({ accountId }) => <IdChip id={accountId} />,
          }}
        />
      )}
    </Page>
  );
}

function FollowerState({ behind, hasMore, seenAt }: Follower) {
  const isSilent = Date.now() - new Date(seenAt).getTime() > SILENT_AFTER_MS;
  const late = `${behind.toLocaleString('en')}${hasMore ? '+' : ''} behind`;
  if (isSilent && behind > 0) return <StateMark tone="bad">{`Silent, ${late}`}</StateMark>;
  if (isSilent) return <StateMark tone="quiet">Silent, nothing missed</StateMark>;
  return behind === 0 ? <StateMark tone="good">Up to date</StateMark> : <StateMark tone="waiting">{late}</StateMark>;
}
