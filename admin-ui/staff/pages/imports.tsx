import { DocumentArrowUpIcon } from '@heroicons/react/24/outline';
import { PAGE } from '../../kit/data/view.ts';
import { ListPage } from '../../kit/parts/list.tsx';
import { selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { IdChip, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { HowToImport, IMPORT_STATE_OPTIONS, ImportStateMark, nameOfRun, sourceOf } from '../inventory/states.tsx';

const IMPORTS = graphql(`
  query ImportRuns($state: ImportState, $sort: AgeSort, ${PAGE.variables}) {
    importRuns(state: $state, sort: $sort, ${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id state source format fileName actor actorName lines created updated unchanged stale failed startedAt heartbeatAt
      }
    }
  }
`);

/** Files of rows that came in. */
export function ImportsPage() {
  const list = useList({
    document: IMPORTS,
    filters: { state: selectFilter('State', IMPORT_STATE_OPTIONS) },
    sorts: { Started: 'CREATED' },
  });
  return (
    <ListPage
      title="Import runs"
      description="Files of events, ticket types and tickets from the company’s own systems. Each row succeeds or fails separately."
      list={list}
      href={({ id }) => `/imports/${id}`}
      columns={{
        File: (run) => <span className="breakable">{nameOfRun(run)}</span>,
        State: (run) => <ImportStateMark {...run} />,
        Lines: ({ lines }) => lines.toLocaleString('en'),
        Applied: ({ created, updated }) => (created + updated).toLocaleString('en'),
        Failed: ({ failed }) => failed.toLocaleString('en'),
        By: ({ actor, actorName }) => actorName ?? actor,
        From: sourceOf,
        Run: ({ id }) => <IdChip id={id} />,
        Started: ({ startedAt }) => <Moment at={startedAt} />,
      }}
      numeric={['Lines', 'Applied', 'Failed']}
      emptyIcon={<DocumentArrowUpIcon />}
      emptyTitle="No imports yet"
      emptyText={<HowToImport what="Events and tickets" />}
    />
  );
}
