import { Anchor, Button, Stack } from '@mantine/core';
import { IconClipboardText, IconDownload } from '@tabler/icons-react';
import { Link } from 'wouter';
import { BASE_PATH } from '../../kit/base-path.ts';
import { useDisabledReason } from '../../kit/data/person.ts';
import { PAGE } from '../../kit/data/view.ts';
import { EmptyState } from '../../kit/parts/instead.tsx';
import { ListPage } from '../../kit/parts/list.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { IdChip, Moment } from '../../kit/parts/values.tsx';
import { ChainCheck } from '../audit/chain-check.tsx';
import { AUDIT_ENTRY, EntryDetails } from '../audit/entry-details.tsx';
import { AUDIT_FILTERS, MORE_AUDIT_FILTERS, toAuditFilter } from '../audit/filters.tsx';
import { graphql } from '../data/graphql.ts';
import { pageOfId } from '../places.ts';

const AUDIT = graphql(
  `
  query Audit($filter: AuditFilter, $sort: AgeSort, ${PAGE.variables}) {
    auditEntries(filter: $filter, sort: $sort, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { ...AuditRow }
    }
  }
`,
  [AUDIT_ENTRY],
);

/** Who changed what, and why: each change of the service, for good. */
export function AuditPage() {
  const disabledReason = useDisabledReason('audit:read');
  const list = useList({
    document: AUDIT,
    filters: AUDIT_FILTERS,
    sorts: { When: 'CREATED' },
    variables: (page, values, sort) => ({ ...page, filter: toAuditFilter(values), sort }),
    connection: ({ auditEntries }) => auditEntries,
    enabled: disabledReason === undefined,
  });
  const filter = toAuditFilter(list.values);
  if (disabledReason !== undefined) {
    return (
      <Page title="Audit log">
        <EmptyState icon={<IconClipboardText />} title="Not available to your role">
          {disabledReason} Reviewers and admins can read the audit log.
        </EmptyState>
      </Page>
    );
  }
  return (
    <ListPage
      title="Audit log"
      caption="Audit entries"
      description="Who changed what, when and why. Entries are never changed or removed."
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
        Target: ({ subject, subjectName }) => <Subject id={subject} name={subjectName} />,
        'Reason and changes': (entry) => <EntryDetails entry={entry} />,
        When: ({ at }) => <Moment at={at} />,
      }}
      emptyIcon={<IconClipboardText />}
      emptyTitle="Nothing yet"
      emptyText="Changes by people and by the service are recorded here."
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

/** Who did it, by name with the identifier beside; leads to everything that they did. */
function Actor({ actor, name }: { actor: string; name: string | null }) {
  const [kind = actor, id] = actor.split(':');
  return (
    <Stack gap={0}>
      <Anchor component={Link} href={`/audit?actor=${encodeURIComponent(actor)}`} size="sm">
        {name ?? (kind === 'system' ? 'System' : kind)}
      </Anchor>
      {id !== undefined && <IdChip id={id} />}
    </Stack>
  );
}

/** What it was done to, by name with the identifier beside; keys, countries and the like have no name. */
function Subject({ id, name }: { id: string; name: string | null }) {
  const href = pageOfId(id);
  if (name === null) return href === undefined ? <IdChip id={id} /> : <IdChip id={id} href={href} />;
  return (
    <Stack gap={0}>
      {href === undefined ? (
        <span>{name}</span>
      ) : (
        <Anchor component={Link} href={href} size="sm">
          {name}
        </Anchor>
      )}
      <IdChip id={id} />
    </Stack>
  );
}
