import { Anchor, FileInput, Group, Stack, Text } from '@mantine/core';
import { IconChecks, IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Failure } from '../../kit/data/call.ts';
import { PAGE, REFUSAL, useChange } from '../../kit/data/view.ts';
import { DialogButton, FormDialog, ReasonField } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { ListTable } from '../../kit/parts/list.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { ViewLink } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { CodeBlock } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';

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
export function ImportFailures({ runId, failed }: ImportFailuresProps) {
  useRefreshAfter(failed);
  const list = useList({
    document: FAILURES,
    filters: { cause: null },
    variables: (page, { cause }) => ({ id: runId, cause, ...page }),
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
        emptyIcon={<IconChecks />}
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
export function ImportCauses({ runId, causes }: { runId: string; causes: readonly Cause[] }) {
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

/** What one call of the console takes, with room to spare. */
const MOST_BYTES = 900_000;

/** A button that uploads mended rows in place of those that failed. */
export function MendFailures({ runId, disabledReason }: { runId: string; disabledReason: string | undefined }) {
  return (
    <DialogButton
      leftSection={<IconUpload size={16} aria-hidden />}
      right="inventory:mend"
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
      onClose();
    },
  });
  return (
    <FormDialog
      title="Upload mended rows"
      confirmLabel="Upload"
      failureTitle="Nothing was changed"
      form={form}
      onClose={onClose}
    >
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
