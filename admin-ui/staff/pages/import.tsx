import { Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useParams } from 'wouter';
import { BASE_PATH } from '../../kit/base-path.ts';
import { REFUSAL, useView } from '../../kit/data/view.ts';
import { ChangeButton, ConfirmButton } from '../../kit/parts/dialog.tsx';
import { FailureAlert, findIn, ProblemAlert } from '../../kit/parts/instead.tsx';
import { Page, Section } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { ImportCauses, ImportFailures, MendFailures } from '../inventory/import-failures.tsx';
import { ImportStateMark, nameOfRun, sourceOf } from '../inventory/states.tsx';

const IMPORT = graphql(`
  query ImportRun($id: ID!) {
    importRun(id: $id) {
      id state source format fileName actor actorName lines created updated unchanged stale failed receivedAll interruption
      startedAt heartbeatAt finishedAt
      causes { reason message rows line }
    }
  }
`);

const RERUN = graphql(`
  mutation RerunFailures($runId: ID!) {
    rerunFailures(runId: $runId) { ${REFUSAL} ... on ImportRun { id state } }
  }
`);

/** While a run is under way, its counts are read again. */
const REFRESH_MS = 2_000;

/** One file of rows: how far it has come, and the rows that failed. */
export function ImportPage() {
  const { id } = useParams<{ id: string }>();
  const first = useView('import', IMPORT, { id });
  const isRunning = first.data?.importRun?.state === 'RUNNING';
  const view = useView('import', IMPORT, { id }, isRunning ? { refetchInterval: REFRESH_MS } : {});
  const { found: run, instead } = findIn(view, 'import run', (data) => data.importRun);
  if (!run) return instead;
  const figure = (count: number) => count.toLocaleString('en');
  return (
    <Page
      title={nameOfRun(run)}
      above={[{ title: 'Import runs', href: '/imports' }]}
      marks={<ImportStateMark {...run} />}
      actions={<Actions run={run} />}
    >
      <FailureAlert failure={view.error} title="The import could not be refreshed" retry={view.refetch} />
      {run.state === 'INTERRUPTED' && (
        <ProblemAlert title="The import was interrupted">
          <Text size="sm">
            {run.interruption ?? 'Its connection broke off, or its process ended.'}{' '}
            {!run.receivedAll &&
              `Send the same file again for this run: it goes on after line ${figure(run.lines)}, and nothing is applied twice.`}
          </Text>
        </ProblemAlert>
      )}
      <Section title="Import run">
        <Facts
          of={{
            'Lines read': run.receivedAll ? `${figure(run.lines)}, the whole file` : figure(run.lines),
            Created: figure(run.created),
            Updated: figure(run.updated),
            Unchanged: figure(run.unchanged),
            Stale: figure(run.stale),
            Failed: figure(run.failed),
            By: run.actorName ?? run.actor,
            From: sourceOf(run),
            Started: <Moment at={run.startedAt} />,
            [run.finishedAt === null ? 'Last progress' : 'Finished']: <Moment at={run.finishedAt ?? run.heartbeatAt} />,
            'Run ID': <CopyText text={run.id} label="run ID" />,
          }}
        />
      </Section>
      {run.causes.length > 0 && (
        <Section title="Why rows failed" description="The most frequent cause first, of the first 10,000 rows.">
          <ImportCauses runId={run.id} causes={run.causes} />
        </Section>
      )}
      <Section
        title="Failed rows"
        description="In the order of the file, kept for 30 days. Phone numbers are masked here; the download has them in full."
      >
        <ImportFailures runId={run.id} failed={run.failed} />
      </Section>
    </Page>
  );
}

interface Run {
  id: string;
  state: 'RUNNING' | 'FINISHED' | 'INTERRUPTED';
  failed: number;
}

function Actions({ run: { id, state, failed } }: { run: Run }) {
  const none = failed === 0 ? 'No row has failed.' : undefined;
  const refused = state === 'RUNNING' ? 'The import is under way.' : none;
  return (
    <>
      <ConfirmButton
        leftSection={<IconDownload size={16} aria-hidden />}
        right="inventory:write"
        disabledReason={none}
        label="Download failed rows"
        title="Download the failed rows"
        confirmLabel="Download"
        reason={{ label: 'Reason', description: 'Your name and this reason are added to the audit log.' }}
        run={async (reason) => {
          location.assign(`${BASE_PATH}/import/${id}/failures?reason=${encodeURIComponent(reason)}`);
        }}
      >
        The file has phone numbers in full. Mend its rows, keep the <code>_line</code> of each, and upload it here.
      </ConfirmButton>
      <MendFailures runId={id} disabledReason={refused} />
      <ChangeButton
        variant="filled"
        right="inventory:write"
        disabledReason={refused}
        label="Run failed rows again"
        title="Run the failed rows again"
        confirmLabel="Run again"
        change={RERUN}
        variables={() => ({ runId: id })}
        done="The failed rows are under way."
      >
        {failed.toLocaleString('en')} {failed === 1 ? 'row is' : 'rows are'} applied once more, as given. It helps where
        what they refer to has come in since. A row that is wrong fails again: download it, mend it and upload it.
      </ChangeButton>
    </>
  );
}
