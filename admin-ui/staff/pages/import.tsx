import { ArrowDownTrayIcon, ArrowUpTrayIcon, CheckCircleIcon } from '@heroicons/react/24/outline';
import { Anchor, FileInput, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useParams } from 'wouter';
import { BASE_PATH } from '../../kit/base-path.ts';
import { Failure } from '../../kit/data/call.ts';
import { PAGE, REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { ChangeButton, ConfirmButton, DialogButton, FormDialog, ReasonField } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { FailureAlert, findIn, ProblemAlert } from '../../kit/parts/instead.tsx';
import { ListTable } from '../../kit/parts/list.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { CodeBlock, Facts, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
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
        leftSection={<ArrowDownTrayIcon width={16} />}
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

const FAILURES = graphql(`
  query ImportFailures($id: ID!, $cause: String, ${PAGE.variables}) {
    importRun(id: $id) {
      failures(cause: $cause, ${PAGE.args}) {
        ${PAGE.fields}
        nodes { id line kind reference reason message row }
      }
    }
  }
`);

/** The name of the query, under which `useList` keeps its pages. */
const LIST = 'ImportFailures';

interface ImportFailuresProps {
  runId: string;
  /** How many there are: the rows are read again when it changes. */
  failed: number;
}

/** Rows of a file that failed and have not succeeded since, in the order of the file. */
function ImportFailures({ runId, failed }: ImportFailuresProps) {
  useRefreshAfter(failed);
  const list = useList({
    document: FAILURES,
    filters: { cause: null },
    of: { id: runId },
    connection: ({ importRun }) => importRun?.failures,
  });
  const { cause } = list.values;
  return (
    <Stack gap="xs">
      {cause !== null && (
        <Group gap="xs">
          <Text size="sm" className="breakable">
            Only: {cause}
          </Text>
          <Anchor component="button" type="button" size="sm" underline="always" onClick={list.clear}>
            Show all
          </Anchor>
        </Group>
      )}
      <ListTable
        caption="Failed rows"
        list={list}
        columns={{
          Line: ({ line }) => line.toLocaleString('en'),
          Kind: ({ kind }) => kind?.replace('_', ' ') ?? 'not known',
          Reference: ({ reference }) => <span className="breakable">{reference ?? 'none'}</span>,
          'What is wrong': ({ message, reason }) => (
            <Stack gap={0}>
              <span>{message}</span>
              <Text span size="xs" c="dimmed" ff="monospace">
                {reason}
              </Text>
            </Stack>
          ),
          Row: ({ line, row }) => <Row line={line} row={row} />,
        }}
        emptyIcon={<CheckCircleIcon />}
        emptyTitle="No failed rows"
        emptyText="Every row of the file was applied, or its failure is older than 30 days."
      />
    </Stack>
  );
}

/** While rows are applied again, their number falls. */
function useRefreshAfter(failed: number) {
  const client = useQueryClient();
  const known = useRef(failed);
  useEffect(() => {
    if (known.current === failed) return;
    known.current = failed;
    void client.invalidateQueries({ queryKey: [LIST] });
  }, [client, failed]);
}

/** A row as it was given, with phone numbers masked. */
function Row({ line, row }: { line: number; row: unknown }) {
  if (row === null) return <span className="aside">no row</span>;
  return (
    <details className="entry-details">
      <summary>
        As given<span className="visually-hidden">, line {line}</span>
      </summary>
      <CodeBlock
        label={`Row of line ${line}`}
        text={typeof row === 'string' ? row : JSON.stringify(row, null, 2)}
        maxHeight={260}
      />
    </details>
  );
}

interface Cause {
  reason: string;
  message: string;
  rows: number;
  line: number;
}

/** Why rows of a file failed, the most frequent cause first. Each leads to its rows below. */
function ImportCauses({ runId, causes }: { runId: string; causes: readonly Cause[] }) {
  return (
    <Rows
      caption="Causes"
      rows={causes.map((cause) => ({ ...cause, id: `${cause.reason} ${cause.message}` }))}
      columns={{
        Cause: ({ message, reason }) => (
          <Stack gap={0}>
            <span className="breakable">{message}</span>
            <Text span size="xs" c="dimmed" ff="monospace">
              {reason}
            </Text>
          </Stack>
        ),
        Rows: ({ rows }) => rows.toLocaleString('en'),
        'First line': ({ line }) => line.toLocaleString('en'),
        Show: ({ message }) => (
          <ViewLink
            href={`/imports/${runId}?cause=${encodeURIComponent(message)}`}
            aria-label={`Only these rows: ${message}`}
          >
            Only these rows
          </ViewLink>
        ),
      }}
      numeric={['Rows', 'First line']}
    />
  );
}

const MEND = graphql(`
  mutation MendFailures($runId: ID!, $rows: [JSON!]!, $reason: String!) {
    mendFailures(runId: $runId, rows: $rows, reason: $reason) { ${REFUSAL} ... on ImportRun { id state } }
  }
`);

/** The most that one call of the console sends, below what the service accepts. */
const MOST_BYTES = 900_000;

/** A button that uploads mended rows in place of those that failed. */
function MendFailures({ runId, disabledReason }: { runId: string; disabledReason: string | undefined }) {
  return (
    <DialogButton
      leftSection={<ArrowUpTrayIcon width={16} />}
      right="tickets:take"
      fresh
      disabledReason={disabledReason}
      dialog={(close) => <MendForm runId={runId} onClose={close} />}
    >
      Upload mended rows
    </DialogButton>
  );
}

function MendForm({ runId, onClose }: { runId: string; onClose: () => void }) {
  const mend = useChange(MEND);
  const form = useSendForm({
    initialValues: { file: null as File | null, reason: '' },
    validate: {
      file: (file) => {
        if (file === null) return 'Choose the file.';
        return file.size > MOST_BYTES ? 'The file is too large. Upload it in parts of at most 1,000 rows.' : null;
      },
      reason: (text) => (text.trim() === '' ? 'Enter a reason.' : null),
    },
    send: async ({ file, reason }) => {
      const rows = rowsIn((await file?.text()) ?? '');
      await mend.mutateAsync({ runId, rows, reason: reason.trim() });
      notify('The mended rows are under way.');
    },
    onClose,
  });
  return (
    <FormDialog title="Upload mended rows" confirmLabel="Upload" failureTitle="Nothing was changed" form={form}>
      <FileInput
        label="File"
        description="The failed rows as downloaded, mended, each with its _line: at most 1,000. Tickets are not taken from their holders here."
        accept=".ndjson,.jsonl,application/x-ndjson"
        required
        data-autofocus
        {...form.getInputProps('file')}
      />
      <ReasonField {...form.getInputProps('reason')} />
    </FormDialog>
  );
}

/** @throws Failure for a line that is no JSON */
function rowsIn(text: string): unknown[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line)];
    } catch {
      throw new Failure('invalid_file', `Line ${index + 1} of the file is not JSON.`);
    }
  });
}
