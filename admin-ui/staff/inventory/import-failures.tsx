import { Group, Stack, Text } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { PAGE } from '../../kit/data/document.ts';
import { CodeBlock } from '../../kit/parts/copy-text.tsx';
import { ListTable } from '../../kit/parts/list-table.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
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
          <button type="button" className="text-button" onClick={list.clear}>
            Show all
          </button>
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
