import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle, IconPaperclip } from '@tabler/icons-react';
import { useState } from 'react';
import { useParams } from 'wouter';
import { countsOf, SheetMark } from '../../kit/client/check-verdict.tsx';
import { useChange, useView } from '../../kit/data/view.ts';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import { ConfirmButton } from '../../kit/parts/confirm-dialog.tsx';
import { CopyText } from '../../kit/parts/copy-text.tsx';
import { Facts } from '../../kit/parts/facts.tsx';
import { FailureAlert } from '../../kit/parts/failure-alert.tsx';
import { findIn } from '../../kit/parts/found.tsx';
import { StateMark } from '../../kit/parts/marks.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { ViewLink } from '../../kit/parts/view-link.tsx';
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
        <>
          <StateMark tone={run.finishedAt === null ? 'waiting' : 'quiet'}>
            {run.finishedAt === null ? 'Going on' : 'Finished'}
          </StateMark>
          {run.finishedAt !== null && <SheetMark lines={run.results} />}
        </>
      }
      description={
        <>
          Against{' '}
          <ViewLink href={`/clients/${run.client.id}`} underline="always">
            {run.client.name}
          </ViewLink>
          , started <Moment at={run.startedAt} />.{' '}
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
      {run.finishedAt === null && (
        <>
          <Steps />
          <Addresses run={run} />
        </>
      )}
      {run.finishedAt !== null && run.productionClient === null && (
        <Alert variant="default" icon={<IconPaperclip aria-hidden />} title="Not attached yet">
          Attach this check to your production client, so that the reviewers see the sheet.
        </Alert>
      )}
      <Section title="Checks" description={countsOf(run.results)}>
        <CheckList run={run} checks={view.data?.checks ?? []} />
      </Section>
    </Page>
  );
}

/** What a person does who sees this page for the first time. */
function Steps() {
  return (
    <Section title="How to go on">
      <ol className="steps">
        <li>Set the addresses below in a test deployment of your app.</li>
        <li>
          Start <strong>Ordinary sign-in</strong>, sign in with your app, and let it call the API. There is no sign-in
          page: the authorize request is answered at once.
        </li>
        <li>
          Press <strong>My app is done</strong>, or wait for 10 seconds of quiet: the verdict shows at the check.
        </li>
        <li>
          Start the next check, from the top to the bottom, and sign in again. An error page in your app is often the
          right answer. You can repeat a check; the last time counts.
        </li>
        <li>Attach this check to your production client, and finish it. The reviewers see the sheet.</li>
      </ol>
    </Section>
  );
}

function Addresses({ run: { addresses, expiresAt } }: { run: RunData }) {
  const { issuer, discoveryUrl, apiUrl, rpcUrl, checksUrl } = addresses;
  return (
    <Section
      title="Addresses"
      description={
        <>
          Set the issuer and the Fan API in a test deployment of your app. The client ID and the redirect URI stay.
          These addresses end <Moment at={expiresAt} />
        </>
      }
    >
      <Facts
        of={{
          'Issuer (OpenID Connect)': <CopyText text={issuer} label="issuer" />,
          'Discovery document': <CopyText text={discoveryUrl} label="discovery address" />,
          'Fan API': <CopyText text={apiUrl} label="address of the Fan API" />,
          'Solana RPC (only for “Tampered listing”)': <CopyText text={rpcUrl} label="RPC address" />,
          'The checks as JSON (only for test programs)': <CopyText text={checksUrl} label="address of the checks" />,
        }}
      />
    </Section>
  );
}

function RunActions({ run }: { run: RunData }) {
  const [isAttaching, setAttaching] = useState(false);
  const attach = useChange(ATTACH);
  const finish = useChange(FINISH);
  const open = run.results.filter(({ verdict }) => verdict === 'OPEN' || verdict === 'WATCHING').length;
  return (
    <>
      {run.productionClient === null ? (
        <ActionButton variant={run.finishedAt === null ? 'default' : 'filled'} onClick={() => setAttaching(true)}>
          Attach to a review
        </ActionButton>
      ) : (
        <Text size="sm">
          Attached to{' '}
          <ViewLink href={`/clients/${run.productionClient.id}?tab=reviews`} underline="always">
            {run.productionClient.name}
          </ViewLink>
        </Text>
      )}
      {run.finishedAt === null && (
        <ConfirmButton
          title="Finish this go-live check"
          confirmLabel="Finish"
          variant={open === 0 ? 'filled' : 'default'}
          run={async () => {
            await finish.mutateAsync({ id: run.id });
            notify('The go-live check is finished.');
          }}
        >
          Its addresses answer no more, and the sheet stays as it is.{' '}
          {open > 0 &&
            `${open === 1 ? '1 check is' : `${open} checks are`} still open and will count as not observed. `}
          You can’t go on with it afterwards, but start another one.
        </ConfirmButton>
      )}
      {isAttaching && (
        <ChooseClient
          title="Attach to a review"
          confirmLabel="Attach"
          failureTitle="Nothing was attached"
          mode="PRODUCTION"
          description="Its reviews show the sheet once this check is finished. It can’t be attached to another client later."
          send={async (clientId) => {
            await attach.mutateAsync({ id: run.id, clientId });
            setAttaching(false);
            notify('The go-live check is attached.');
          }}
          onClose={() => setAttaching(false)}
        />
      )}
    </>
  );
}
