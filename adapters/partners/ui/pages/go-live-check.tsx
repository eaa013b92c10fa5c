import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useParams } from 'wouter';
import { countsOf } from '../../../../console-kit/client/check-verdict.tsx';
import { useChange, useView } from '../../../../console-kit/data/view.ts';
import { ActionButton } from '../../../../console-kit/parts/action-button.tsx';
import { ConfirmButton } from '../../../../console-kit/parts/confirm-dialog.tsx';
import { CopyText } from '../../../../console-kit/parts/copy-text.tsx';
import { Facts } from '../../../../console-kit/parts/facts.tsx';
import { FailureAlert } from '../../../../console-kit/parts/failure-alert.tsx';
import { findIn } from '../../../../console-kit/parts/found.tsx';
import { StateMark } from '../../../../console-kit/parts/marks.tsx';
import { Moment } from '../../../../console-kit/parts/moment.tsx';
import { Page } from '../../../../console-kit/parts/page.tsx';
import { Section } from '../../../../console-kit/parts/section.tsx';
import { notify } from '../../../../console-kit/parts/undo.tsx';
import { ViewLink } from '../../../../console-kit/parts/view-link.tsx';
import { DOCS } from '../address.ts';
import { CheckList } from '../go-live-check/check-list.tsx';
import { ChooseClient } from '../go-live-check/choose-client.tsx';
import { ATTACH, FINISH, RUN, type RunData } from '../go-live-check/document.ts';

/** Results come in while the partner signs in. */
const REFRESH_MS = 2_000;

/** One run: its addresses, its checks with live results, and the sheet. */
export function GoLiveCheckPage() {
  const { id } = useParams<{ id: string }>();
  const view = useView('go-live-check', RUN, { id }, { refetchInterval: REFRESH_MS });
  const { found: run, instead } = findIn(view, 'go-live check', (data) => data.goLiveCheck);
  if (!run) return instead;
  return (
    <Page
      title="Go-live check"
      above={[{ title: 'Go-live checks', href: '/go-live-checks' }]}
      marks={
        <StateMark tone={run.finishedAt === null ? 'waiting' : 'good'}>
          {run.finishedAt === null ? 'Going on' : 'Finished'}
        </StateMark>
      }
      description={
        <>
          Of <ViewLink href={`/clients/${run.client.id}`}>{run.client.name}</ViewLink>, started{' '}
          <Moment at={run.startedAt} />.{' '}
          <Anchor href={`${DOCS}/go-live-check`} inherit underline="always">
            How it works
          </Anchor>
        </>
      }
      actions={<RunActions run={run} />}
    >
      <FailureAlert failure={view.error} title="The check could not be refreshed" retry={view.refetch} />
      {run.isStale && (
        <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title="Stale">
          Redirect URIs have changed since this check. Start another one.
        </Alert>
      )}
      {run.finishedAt === null && <Addresses run={run} />}
      <Section title="Checks" description={countsOf(run.results)}>
        <CheckList run={run} checks={view.data?.checks ?? []} />
      </Section>
    </Page>
  );
}

function Addresses({ run: { addresses, expiresAt } }: { run: RunData }) {
  const { issuer, discoveryUrl, apiUrl, rpcUrl, checksUrl } = addresses;
  return (
    <Section
      title="Addresses"
      description={
        <>
          Set these in a test deployment, in the place of the service’s own. They end: <Moment at={expiresAt} />
        </>
      }
    >
      <Facts
        of={{
          'Issuer (OpenID Connect)': <CopyText text={issuer} label="issuer" />,
          'Discovery document': <CopyText text={discoveryUrl} label="discovery address" />,
          'Fan API': <CopyText text={apiUrl} label="address of the Fan API" />,
          'Solana RPC, for listings': <CopyText text={rpcUrl} label="RPC address" />,
          'The checks, for programs': <CopyText text={checksUrl} label="address of the checks" />,
        }}
      />
      <Text size="sm" c="dimmed">
        Nobody is signed in here: the authorize request is answered at once. Start a check, sign in with your app, and
        let it call the API.
      </Text>
    </Section>
  );
}

function RunActions({ run }: { run: RunData }) {
  const [isAttaching, setAttaching] = useState(false);
  const attach = useChange(ATTACH);
  const finish = useChange(FINISH);
  return (
    <>
      {run.productionClient === null ? (
        <ActionButton variant="default" onClick={() => setAttaching(true)}>
          Attach to a review
        </ActionButton>
      ) : (
        <Text size="sm">
          Attached to{' '}
          <ViewLink href={`/clients/${run.productionClient.id}?tab=reviews`}>{run.productionClient.name}</ViewLink>
        </Text>
      )}
      {run.finishedAt === null && (
        <ConfirmButton
          title="Finish this go-live check"
          confirmLabel="Finish"
          run={async () => {
            await finish.mutateAsync({ id: run.id });
            notify('Finished.');
          }}
        >
          Its addresses answer no more, and the sheet stays as it is. What is open counts as not observed.
        </ConfirmButton>
      )}
      {isAttaching && (
        <ChooseClient
          title="Attach to a review"
          confirmLabel="Attach"
          failureTitle="Nothing was attached"
          mode="PRODUCTION"
          description="Its reviews show the finished sheet. A check is attached once."
          send={async (clientId) => {
            await attach.mutateAsync({ id: run.id, clientId });
            setAttaching(false);
          }}
          onClose={() => setAttaching(false)}
        />
      )}
    </>
  );
}
