import {
  ArrowDownTrayIcon,
  CheckCircleIcon,
  ClipboardIcon,
  LinkIcon,
  LinkSlashIcon,
} from '@heroicons/react/24/outline';
import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { Link } from 'wouter';
import { BASE_PATH } from '../../kit/base-path.ts';
import { call, type Failure } from '../../kit/data/call.ts';
import { useDisabledReason } from '../../kit/data/person.ts';
import { PAGE, useView } from '../../kit/data/view.ts';
import { EmptyState, FailureAlert } from '../../kit/parts/instead.tsx';
import { ListPage } from '../../kit/parts/list.tsx';
import { Page, Section } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { type Filter, searchFilter, selectFilter, timeFilter, useList } from '../../kit/parts/use-list.tsx';
import { IdChip, Moment } from '../../kit/parts/values.tsx';
import { AUDIT_ENTRY, EntryDetails } from '../audit/entry-details.tsx';
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
    variables: (values) => ({ filter: toAuditFilter(values) }),
    enabled: disabledReason === undefined,
  });
  const filter = toAuditFilter(list.values);
  if (disabledReason !== undefined) {
    return (
      <Page title="Audit log">
        <EmptyState icon={<ClipboardIcon />} title="Not available to your role">
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
      emptyIcon={<ClipboardIcon />}
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
      leftSection={<ArrowDownTrayIcon width={16} />}
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

const ACTORS = {
  staff: 'By staff',
  service: 'By service accounts',
  client: 'By clients',
  fan: 'By fans',
  system: 'By the system',
};

/** The first part of an action, before the point. */
const ACTIONS = {
  client: 'Clients',
  partner: 'Partners',
  grant: 'Grants',
  fan: 'Fans',
  listing: 'Listings',
  claim: 'Claims',
  permit: 'Permits',
  event: 'Events',
  ticket: 'Tickets',
  ticket_type: 'Ticket types',
  inventory: 'Inventory rows',
  import_run: 'Import runs',
  sandbox: 'Sandbox',
  staff: 'Staff',
  staff_token: 'Staff tokens',
  service_account: 'Service accounts',
  kill_switch: 'Kill switches',
  signing_key: 'Signing keys',
  chain_authority: 'Onchain authority',
  audit: 'Audit log',
};

/** A link may also set one whole actor or action, which then is an option of its own. */
const kindFilter =
  (label: string, kinds: Record<string, string>): Filter =>
  (field) => {
    const all = field.value === '' || field.value in kinds ? kinds : { ...kinds, [field.value]: field.value };
    const options = Object.entries(all).map(([value, name]) => ({ value, label: name }));
    return selectFilter(label, options)(field);
  };

/** The filters of the audit log. */
const AUDIT_FILTERS = {
  text: searchFilter('Search in the details', 'Part of the details'),
  actor: kindFilter('Who', ACTORS),
  action: kindFilter('What', ACTIONS),
  subject: searchFilter('Target', 'Target ID'),
  requestId: searchFilter('Request ID', 'Request ID'),
  from: timeFilter('date', 'From', 'From this day (UTC)'),
  to: timeFilter('date', 'To', 'Through this day (UTC)'),
};

const MORE_AUDIT_FILTERS = ['subject', 'requestId', 'from', 'to'] as const;

const DAY_MS = 86_400_000;

/** The filters as the service's input: only those that are set, days as moments. */
function toAuditFilter(values: Record<keyof typeof AUDIT_FILTERS, string | null>): Record<string, string> {
  const { from, to, ...texts } = values;
  const moments = { from: momentOf(from, 0), to: momentOf(to, DAY_MS) };
  return Object.fromEntries(
    Object.entries({ ...texts, ...moments }).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** @param day `2026-11-21`; anything else does not filter */
function momentOf(day: string | null, plusMs: number): string | null {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? null : new Date(at + plusMs).toISOString();
}

const VERIFY = graphql(`
  query VerifyAudit($anchor: AuditHeadInput) {
    verifyAudit(anchor: $anchor) {
      checked waiting
      head { position hash }
      cut { position }
      broken { position reason }
    }
  }
`);

const STATE = graphql(`
  query AuditCheck {
    auditCheck { running checked }
  }
`);

const REFRESH_MS = 1_000;

type Report = ResultOf<typeof VERIFY>['verifyAudit'];

/** Recomputes the hash chain of the log, which shows whether an entry was changed or removed. */
function ChainCheck() {
  const [kept, setKept] = useState('');
  const anchor = anchorIn(kept);
  const isWrong = kept.trim() !== '' && anchor === null;
  const check = useMutation<Report, Failure>({ mutationFn: async () => (await call(VERIFY, { anchor })).verifyAudit });
  const [isWatched, setWatched] = useState(false);
  const { data } = useView('audit-check', STATE, {}, isWatched ? { refetchInterval: REFRESH_MS } : {});
  const state = data?.auditCheck;
  const isRunning = check.isPending || state?.running === true;
  // what others have started is followed too
  if (isWatched !== isRunning) setWatched(isRunning);

  return (
    <Section
      title="Verify the audit log"
      description="Each entry contains a hash of itself and the entry before it. Verifying recomputes every hash."
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Saved head (optional)"
          description="From an earlier check, or from the service’s log (“audit log sealed”). It proves that no entries were removed from the end since then."
          placeholder="position:hash"
          value={kept}
          error={isWrong ? 'Enter it as it was shown: a number, a colon and the hash.' : undefined}
          onChange={(event) => setKept(event.currentTarget.value)}
          className="grows"
          maw={520}
        />
        <Button
          variant="default"
          leftSection={<LinkIcon width={16} />}
          loading={isRunning}
          onClick={() => isWrong || check.mutate()}
        >
          Verify log
        </Button>
      </Group>
      <FailureAlert failure={check.error} title="The audit log could not be verified" />
      <div role="status">
        {isRunning && <Text size="sm">{progressIn(state?.checked ?? null)}</Text>}
        {!isRunning && check.data && <Result report={check.data} />}
      </div>
    </Section>
  );
}

function progressIn(checked: number | null): string {
  return `The log is being verified${checked === null ? '' : `: ${checked.toLocaleString('en')} entries so far`}.`;
}

function Result({ report: { checked, waiting, head, cut, broken } }: { report: Report }) {
  if (broken) {
    return (
      <Alert color="red" variant="light" icon={<LinkSlashIcon />} title="The audit log was altered">
        <Text size="sm">
          At entry {broken.position}: {broken.reason}. {checked.toLocaleString('en')} entries before it are intact.
          Preserve a copy of the database and tell your security team.
        </Text>
      </Alert>
    );
  }
  return (
    <Alert color="ticket" variant="light" icon={<CheckCircleIcon />} title="The audit log is intact">
      <Stack gap="xs">
        <Text size="sm">
          {checked.toLocaleString('en')} entries verified, {waiting.toLocaleString('en')} from the last minute not yet
          sealed.{cut && ` What is before entry ${cut.position} is in exported files.`} Save the head outside this
          system: with it, a later check proves that no entries were removed from the end.
        </Text>
        {head && <CopyText labelled label="Head" text={`${head.position}:${head.hash}`} />}
      </Stack>
    </Alert>
  );
}

function anchorIn(text: string): { position: string; hash: string } | null {
  const [, position, hash] = /^(\d{1,18}):(\S{1,100})$/.exec(text.trim()) ?? [];
  return position === undefined || hash === undefined ? null : { position, hash };
}
