import { Anchor, Button } from '@mantine/core';
import { IconClipboardText, IconDownload } from '@tabler/icons-react';
import { Link } from 'wouter';
import { BASE_PATH } from '../address.ts';
import { ChainCheck } from '../audit/chain-check.tsx';
import { AUDIT_ENTRY, EntryDetails } from '../audit/entry-details.tsx';
import { AUDIT_FILTERS, AuditToolbar, wanted } from '../audit/filters.tsx';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { useList } from '../parts/use-list.ts';
import { storyOf } from '../places.ts';

const AUDIT = graphql(
  `
  query Audit($filter: AuditFilter, $first: Int, $after: String, $last: Int, $before: String) {
    auditEntries(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { ...AuditRow }
    }
  }
`,
  [AUDIT_ENTRY],
);

/** What was done, by whom and why: each change of the service, for good. */
export function AuditPage() {
  const disabledReason = useDisabledReason('audit:read');
  const list = useList(AUDIT_FILTERS);
  const filter = wanted(list.filters);
  const view = useView('audit', AUDIT, { filter, ...list.page }, { enabled: disabledReason === undefined });
  if (disabledReason !== undefined) {
    return (
      <Page title="Audit log">
        <EmptyState icon={<IconClipboardText />} title="Not for your role">
          {disabledReason} Reviewers and admins read it.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title="Audit log"
      description="Every change and every refusal that matters, by whom and why. Entries are never changed and never removed."
      actions={
        <>
          <Export format="csv" filter={filter} />
          <Export format="json" filter={filter} />
        </>
      }
    >
      <AuditToolbar list={list} />
      <ConnectionTable
        caption="Audit entries"
        view={view}
        connection={view.data?.auditEntries}
        list={list}
        rowKey={({ id }) => id}
        columns={[
          { header: 'What', cell: ({ action }) => <code className="one-line">{action}</code> },
          { header: 'Who', cell: ({ actor, actorName }) => <Actor actor={actor} name={actorName} /> },
          { header: 'Done to', cell: ({ subject }) => <Subject id={subject} /> },
          { header: 'Why, and what changed', cell: (entry) => <EntryDetails entry={entry} /> },
          { header: 'When', cell: ({ at }) => <Moment at={at} /> },
        ]}
        empty={
          <EmptyState icon={<IconClipboardText />} title="Nothing yet">
            What people and the service change is written down here.
          </EmptyState>
        }
      />
      <ChainCheck />
    </Page>
  );
}

/** As far as the filters go; the service writes down that it was exported. */
function Export({ format, filter }: { format: 'csv' | 'json'; filter: Record<string, string> }) {
  const query = new URLSearchParams(filter).toString();
  return (
    <Button
      component="a"
      href={`${BASE_PATH}/audit.${format}${query === '' ? '' : `?${query}`}`}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {format.toUpperCase()}
    </Button>
  );
}

function Actor({ actor, name }: { actor: string; name: string | null }) {
  const kind = actor.split(':')[0] ?? actor;
  return (
    <Anchor component={Link} href={`/audit?actor=${encodeURIComponent(actor)}`} size="sm" title={actor}>
      {name ?? (kind === 'system' ? 'the system' : kind)}
    </Anchor>
  );
}

/** What the timeline knows leads there; a key's or a country's name leads nowhere. */
function Subject({ id }: { id: string }) {
  const hasStory = /^(client|grant|usr|sess|tkt|perm|lst|clm|ptn|evt)_/.test(id);
  return hasStory ? <IdChip id={id} href={storyOf(id)} /> : <IdChip id={id} />;
}
