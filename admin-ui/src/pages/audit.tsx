import { Anchor, Button } from '@mantine/core';
import { IconClipboardText, IconDownload } from '@tabler/icons-react';
import { Link } from 'wouter';
import { BASE_PATH } from '../address.ts';
import { ChainCheck } from '../audit/chain-check.tsx';
import { AUDIT_ENTRY, EntryDetails } from '../audit/entry-details.tsx';
import { AUDIT_FILTERS, MORE_AUDIT_FILTERS, toAuditFilter } from '../audit/filters.tsx';
import { graphql, PAGE } from '../data/graphql.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { useList } from '../parts/use-list.tsx';
import { storyOf } from '../places.ts';

const AUDIT = graphql(
  `
  query Audit($filter: AuditFilter, ${PAGE.variables}) {
    auditEntries(filter: $filter, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { ...AuditRow }
    }
  }
`,
  [AUDIT_ENTRY],
);

/** What was done, by whom and why: each change of the service, for good. */
export function AuditPage() {
  const disabledReason = useDisabledReason('audit:read');
  const list = useList({
    document: AUDIT,
    filters: AUDIT_FILTERS,
    variables: (page, values) => ({ ...page, filter: toAuditFilter(values) }),
    connection: ({ auditEntries }) => auditEntries,
    enabled: disabledReason === undefined,
  });
  const filter = toAuditFilter(list.values);
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
    <ListPage
      title="Audit log"
      caption="Audit entries"
      description="Every change and every refusal that matters, by whom and why. Entries are never changed and never removed."
      actions={
        <>
          <Export format="csv" filter={filter} />
          <Export format="json" filter={filter} />
        </>
      }
      list={list}
      moreFilters={MORE_AUDIT_FILTERS}
      columns={{
        What: ({ action }) => <code className="one-line">{action}</code>,
        Who: ({ actor, actorName }) => <Actor actor={actor} name={actorName} />,
        'Done to': ({ subject }) => <Subject id={subject} />,
        'Why, and what changed': (entry) => <EntryDetails entry={entry} />,
        When: ({ at }) => <Moment at={at} />,
      }}
      emptyIcon={<IconClipboardText />}
      emptyTitle="Nothing yet"
      emptyText="What people and the service change is written down here."
    >
      <ChainCheck />
    </ListPage>
  );
}

/** Downloads what the filters leave; the service records that it was exported. */
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

/** Links to the timeline, except for names of keys and countries, which have none. */
function Subject({ id }: { id: string }) {
  const hasStory = /^(client|grant|usr|sess|tkt|perm|lst|clm|ptn|evt)_/.test(id);
  return hasStory ? <IdChip id={id} href={storyOf(id)} /> : <IdChip id={id} />;
}
