import { ExclamationTriangleIcon, PaperClipIcon } from '@heroicons/react/24/outline';
import { Alert, Button, Group, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { countsOf, SheetMark, VerdictMark } from '../../kit/client/check-verdict.tsx';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { ActionButton, ChangeButton } from '../../kit/parts/dialog.tsx';
import { FailureAlert, useNamed } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { OutsideLink, Page, Section, TextLink } from '../../kit/parts/page.tsx';
import { CopyText, Quiet } from '../../kit/parts/text.tsx';
import { Facts, Moment, StateMark } from '../../kit/parts/values.tsx';
import { DOCS } from '../address.ts';
import { ChooseClient } from '../client/own-clients.tsx';

const RUN = graphql(`
  query GoLiveCheck($id: ID!) {
    goLiveCheck(id: $id) {
      id startedAt expiresAt finishedAt isStale currentCheck
      client { id name }
      productionClient { id name }
      addresses { issuer discoveryUrl apiUrl rpcUrl checksUrl }
      results { name verdict seen startedAt }
    }
    checks { name title does expects how source }
  }
`);

type RunData = NonNullable<ResultOf<typeof RUN>['goLiveCheck']>;
type CheckData = ResultOf<typeof RUN>['checks'][number];
type ResultData = RunData['results'][number];

export const START_RUN = graphql(`
  mutation StartGoLiveCheck($clientId: ID!) {
    startGoLiveCheck(clientId: $clientId) { ${REFUSAL} ... on GoLiveCheck { id } }
  }
`);

const START_CHECK = graphql(`
  mutation StartCheck($id: ID!, $check: String!) {
    startCheck(id: $id, check: $check) { ${REFUSAL} ... on GoLiveCheck { id } }
  }
`);

const END_CHECK = graphql(`
  mutation EndCheck($id: ID!) {
    endCheck(id: $id) { ${REFUSAL} ... on GoLiveCheck { id } }
  }
`);

const ATTACH = graphql(`
  mutation AttachGoLiveCheck($id: ID!, $clientId: ID!) {
    attachGoLiveCheck(id: $id, clientId: $clientId) { ${REFUSAL} ... on GoLiveCheck { id } }
  }
`);

const FINISH = graphql(`
  mutation FinishGoLiveCheck($id: ID!) {
    finishGoLiveCheck(id: $id) { ${REFUSAL} ... on GoLiveCheck { id } }
  }
`);

/** Results come in while the partner signs in. */
const REFRESH_MS = 2_000;

/** One run: its addresses, its checks with live results, and the sheet. */
export function GoLiveCheckPage() {
  const {
    view,
    found: run,
    instead,
  } = useNamed('go-live check', RUN, (data) => data.goLiveCheck, { refetchInterval: REFRESH_MS });
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
          Against <TextLink href={`/clients/${run.client.id}`}>{run.client.name}</TextLink>, started{' '}
          <Moment at={run.startedAt} />. <OutsideLink href={`${DOCS}/go-live-check`}>How it works</OutsideLink>
        </>
      }
      actions={<RunActions run={run} />}
    >
      <FailureAlert failure={view.error} title="The check could not be refreshed" retry={view.refetch} />
      {run.isStale && (
        <Alert variant="default" icon={<ExclamationTriangleIcon />} title="Stale">
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
        <Alert variant="default" icon={<PaperClipIcon />} title="Not attached yet">
          Attach this check to your production client, so that the reviewers see the sheet.
        </Alert>
      )}
      <Section title="Checks" description={countsOf(run.results)}>
        <CheckList run={run} checks={view.data?.checks ?? []} />
      </Section>
    </Page>
  );
}

/** The steps for a person who sees this page for the first time. */
function Steps() {
  return (
    <Section title="How to go on">
      <ol className="steps">
        <li>Set the addresses below in a test deployment of your app.</li>
        <li>
          Start <strong>Ordinary sign-in</strong>, sign in with your app, and let it call the API. There is no sign-in
          page: the authorize request is answered immediately.
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
          <TextLink href={`/clients/${run.productionClient.id}?tab=review`}>{run.productionClient.name}</TextLink>
        </Text>
      )}
      {run.finishedAt === null && (
        <ChangeButton
          title="Finish this go-live check"
          confirmLabel="Finish"
          variant={open === 0 ? 'filled' : 'default'}
          change={FINISH}
          variables={() => ({ id: run.id })}
          done="The go-live check is finished."
        >
          Its addresses answer no more, and the sheet stays as it is.{' '}
          {open > 0 &&
            `${open === 1 ? '1 check is' : `${open} checks are`} still open and will count as not observed. `}
          You can’t go on with it afterwards, but start another one.
        </ChangeButton>
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
            notify('The go-live check is attached.');
          }}
          onClose={() => setAttaching(false)}
        />
      )}
    </>
  );
}

interface CheckListProps {
  run: RunData;
  checks: readonly CheckData[];
}

/** Every check with its verdict and what was seen; while the run goes on, with buttons that turn it on and off. */
function CheckList({ run, checks }: CheckListProps) {
  const start = useChange(START_CHECK);
  const end = useChange(END_CHECK);
  const results = new Map(run.results.map((result) => [result.name, result]));
  const isUntried = ({ name }: CheckData) => results.get(name)?.startedAt == null;
  // the next check needs no choice: it is the first that was never started, while none is on
  const next = run.currentCheck === null ? checks.find(isUntried)?.name : undefined;
  // a button that is disabled meanwhile would lose the focus, and with it the keyboard its place
  const isBusy = start.isPending || end.isPending;
  const buttonsOf = (check: CheckData) => {
    if (run.finishedAt !== null) return undefined;
    if (run.currentCheck === check.name) {
      return (
        <Button size="xs" aria-busy={isBusy} onClick={() => isBusy || end.mutate({ id: run.id })}>
          My app is done<span className="visually-hidden"> with {check.title}</span>
        </Button>
      );
    }
    return (
      <Button
        size="xs"
        variant={check.name === next ? 'filled' : 'default'}
        aria-busy={isBusy}
        onClick={() => isBusy || start.mutate({ id: run.id, check: check.name })}
      >
        {isUntried(check) ? 'Start' : 'Repeat'}
        <span className="visually-hidden"> {check.title}</span>
      </Button>
    );
  };
  return (
    <>
      <FailureAlert failure={start.error ?? end.error} title="Nothing was changed" />
      <ol className="plain-list" aria-label="Checks">
        {checks.map((check) => (
          <CheckLine
            key={check.name}
            check={check}
            result={results.get(check.name)}
            isOn={run.currentCheck === check.name}
            buttons={buttonsOf(check)}
          />
        ))}
      </ol>
    </>
  );
}

interface CheckLineProps {
  check: CheckData;
  result: ResultData | undefined;
  isOn: boolean;
  buttons: React.ReactNode;
}

function CheckLine({ check, result, isOn, buttons }: CheckLineProps) {
  return (
    <li className="check-line" aria-current={isOn || undefined}>
      <Group gap={6}>{result && <VerdictMark verdict={result.verdict} />}</Group>
      <div>
        <Text size="sm" fw={600}>
          {check.title}
          {isOn && (
            <Text span size="sm" c="dimmed">
              {' '}
              (on now: sign in with your app)
            </Text>
          )}
        </Text>
        {result && result.startedAt !== null && (
          <Text size="sm" aria-live="polite">
            {result.seen}
          </Text>
        )}
        <Quiet>
          {check.does} <b>Expected:</b> {check.expects}
          {check.how !== null && (
            <>
              {' '}
              <b>Do:</b> {check.how}
            </>
          )}
        </Quiet>
      </div>
      {buttons}
    </li>
  );
}
