import { ShieldCheckIcon } from '@heroicons/react/24/outline';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { graphql } from '../../kit/data/graphql.ts';
import { PAGE, useChange } from '../../kit/data/view.ts';
import { ListPage } from '../../kit/parts/list.tsx';
import { OutsideLink } from '../../kit/parts/page.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { Moment, StateMark } from '../../kit/parts/values.tsx';
import { DOCS } from '../address.ts';
import { ChooseClient } from '../client/own-clients.tsx';
import { START_RUN } from './go-live-check.tsx';

const RUNS = graphql(`
  query GoLiveChecks(${PAGE.variables}) {
    goLiveChecks(${PAGE.args}) {
      ${PAGE.fields}
      nodes { id startedAt finishedAt isStale passed failed client { name } productionClient { name } }
    }
  }
`);

/** The runs of the partner's go-live checks. */
export function GoLiveChecksPage() {
  const list = useList({ document: RUNS });
  const [isChoosing, setChoosing] = useState(false);
  const start = useChange(START_RUN);
  const [, navigate] = useLocation();
  return (
    <ListPage
      title="Go-live checks"
      description="The service plays a hostile authorization server and API against your sandbox app, and shows what your app did. Attach a check to your production client before you submit it: the reviewers see the sheet."
      add={<Button onClick={() => setChoosing(true)}>Start a go-live check</Button>}
      list={list}
      href={({ id }) => `/go-live-checks/${id}`}
      columns={{
        Started: ({ startedAt }) => <Moment at={startedAt} />,
        'Sandbox client': ({ client }) => client.name,
        State: ({ finishedAt, isStale }) => (
          <StateMark tone={finishedAt === null ? 'waiting' : 'quiet'}>
            {finishedAt === null ? 'Going on' : isStale ? 'Stale' : 'Finished'}
          </StateMark>
        ),
        Passed: ({ passed }) => passed,
        Failed: ({ failed }) => failed,
        'Attached to': ({ productionClient }) => productionClient?.name ?? 'Nothing yet',
      }}
      numeric={['Passed', 'Failed']}
      emptyIcon={<ShieldCheckIcon />}
      emptyTitle="No go-live checks yet"
      emptyText={
        <>
          Point a test deployment of your app at the addresses of a check, and sign in once for each of its attacks.{' '}
          <OutsideLink href={`${DOCS}/go-live-check`}>How it works</OutsideLink>
        </>
      }
    >
      {isChoosing && (
        <ChooseClient
          title="Start a go-live check"
          confirmLabel="Start"
          failureTitle="No check was started"
          mode="SANDBOX"
          description="Its redirect URIs are the only addresses that the check sends a browser to."
          send={async (clientId) => {
            const { id } = await start.mutateAsync({ clientId });
            navigate(`/go-live-checks/${id}`);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </ListPage>
  );
}
