import {
  ChevronUpIcon,
  ListBulletIcon,
  MagnifyingGlassIcon,
  QuestionMarkCircleIcon,
} from '@heroicons/react/24/outline';
import { Alert, Anchor, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { useView } from '../../kit/data/view.ts';
import { EmptyState, FailureAlert, ViewLoading } from '../../kit/parts/instead.tsx';
import { Toolbar } from '../../kit/parts/list.tsx';
import { Page, ViewLink } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { useFilters } from '../../kit/parts/use-list.tsx';
import { inUtc } from '../../kit/parts/values.tsx';
import { MORE_REQUEST_FILTERS, REQUEST_FILTERS, toRequestFilter } from '../../kit/requests/request-filters.tsx';
import { ENTRY, Story } from '../activity/story.tsx';
import { graphql } from '../data/graphql.ts';
import { storyOf, viewOf } from '../places.ts';

const TIMELINE = graphql(
  `
  query Timeline($search: String!, $before: DateTime, $filter: RequestFilter) {
    timeline(search: $search, before: $before, filter: $filter, limit: 100) {
      earlier
      subjects { kind id title subtitle }
      entries { ...Entry }
    }
    search(text: $search) { kind id title subtitle }
  }
`,
  [ENTRY],
);

/** At least five digits and no letter: no identifier, address or signature matches. */
const PHONE = /^(?=(\P{Nd}*\p{Nd}){5})\P{L}+$/u;

/**
 * The timeline of anything with an identifier: `?search=…`, its filters, and `before` for an earlier part of it. A phone
 * number is kept in the history's state, as on the fans page.
 */
export function TimelinePage() {
  const [params, setParams] = useSearchParams();
  const state = useHistoryState<{ phone?: string } | null>();
  const search = state?.phone ?? params.get('search') ?? '';
  const before = params.get('before');
  const filters = useFilters(REQUEST_FILTERS);
  const view = useView(
    'timeline',
    TIMELINE,
    { search, before, filter: toRequestFilter(filters.values) },
    { enabled: search !== '' },
  );
  const show = (text: string, more: { before?: string } = {}) => {
    // filters stay, also for what is searched for next
    const next = new URLSearchParams(params);
    for (const name of ['search', 'before']) next.delete(name);
    for (const [name, value] of Object.entries(more)) next.set(name, value);
    if (PHONE.test(text)) return setParams(next, { state: { phone: text } });
    if (text !== '') next.set('search', text);
    setParams(next);
  };
  return (
    <Page
      title="Timeline"
      description="Everything recorded about one subject, in order: sign-in, codes, consent, tokens, API calls, co-signatures, onchain changes and what staff did. Requests are kept for 30 days by default. Times are in UTC."
    >
      <SearchBox key={search} value={search} onSearch={show} />
      {search === '' ? (
        <HowToSearch />
      ) : (
        <Found search={search} view={view} before={before} turn={show} filters={filters} />
      )}
    </Page>
  );
}

interface SearchBoxProps {
  value: string;
  onSearch: (text: string) => void;
}

/** A search field for anything that has a timeline. Enter searches. */
function SearchBox({ value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <Group gap="xs" wrap="nowrap">
          <TextInput
            type="search"
            data-list-search
            aria-label="Find a timeline"
            placeholder="Request ID, client_id, grant, ticket, wallet, signature, phone…"
            leftSection={<MagnifyingGlassIcon width={16} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            maxLength={200}
            className="grows"
            maw={640}
          />
          <Button type="submit">Show</Button>
        </Group>
      </form>
    </search>
  );
}

interface FoundProps {
  search: string;
  before: string | null;
  view: ReturnType<typeof useView<typeof TIMELINE>>;
  turn: (search: string, more?: { before: string }) => void;
  filters: ReturnType<typeof useFilters>;
}

function Found({ search, before, view, turn, filters }: FoundProps) {
  const { data, error, isPlaceholderData, refetch } = view;
  const shown = useRef('');
  useEffect(() => {
    if (!isPlaceholderData) shown.current = search;
  }, [isPlaceholderData, search]);
  if (error && !data) return <FailureAlert failure={error} title="The timeline could not be loaded" retry={refetch} />;
  // while a filter changes, its controls stay
  if (!data || (isPlaceholderData && shown.current !== search)) return <ViewLoading />;
  const { subjects, entries, earlier } = data.timeline;
  if (subjects.length === 0) return <Candidates search={search} hits={data.search} />;
  return (
    <Stack gap="md">
      <FailureAlert failure={error} title="The timeline could not be refreshed" retry={refetch} />
      <Subjects of={subjects} />
      <Toolbar role="group" aria-label="Filters" list={filters} more={MORE_REQUEST_FILTERS} />
      {before !== null && (
        <Alert variant="light" color="gray" p="xs">
          <Group justify="space-between">
            <Text size="sm">Before {inUtc(before)}</Text>
            <Anchor component="button" type="button" size="sm" onClick={() => turn(search)}>
              Show newest
            </Anchor>
          </Group>
        </Alert>
      )}
      {earlier !== null && (
        <Group justify="center">
          <Button
            variant="default"
            size="xs"
            leftSection={<ChevronUpIcon width={14} />}
            onClick={() => turn(search, { before: earlier })}
          >
            Earlier
          </Button>
        </Group>
      )}
      {entries.length === 0 ? (
        <Paper withBorder>
          <EmptyState
            icon={<ListBulletIcon />}
            title={filters.isFiltered ? 'Nothing matches the filters' : 'Nothing recorded'}
          >
            {filters.isFiltered
              ? 'Clear a filter or choose a longer time. Only requests have an operation and a status.'
              : 'Nothing has happened yet, or only requests that are no longer kept.'}
          </EmptyState>
        </Paper>
      ) : (
        <div className="table-frame" data-stale={isPlaceholderData || undefined}>
          <Story entries={entries} about={subjects.map(({ id }) => id)} />
        </div>
      )}
    </Stack>
  );
}

function HowToSearch() {
  return (
    <Paper withBorder>
      <EmptyState icon={<ListBulletIcon />} title="Paste what you have">
        <ul className="steps">
          <li>The request ID that a partner sends you (X-Request-Id of the answer)</li>
          <li>A client_id, or the ID of a grant, session, ticket, permit, listing or claim</li>
          <li>A wallet, an onchain address, or the signature of a claim</li>
          <li>A fan’s phone number in any format; it is shown masked</li>
        </ul>
      </EmptyState>
    </Paper>
  );
}

interface Hit {
  kind: string;
  id: string;
  title: string;
  subtitle: string;
}

/** What the timeline is of, each with a link to its view, if it has one. */
function Subjects({ of }: { of: readonly Hit[] }) {
  return (
    <ul className="subjects" aria-label="Timeline of">
      {of.map(({ kind, id, title, subtitle }) => {
        const view = viewOf(kind, id);
        return (
          <Paper component="li" withBorder p="sm" radius="md" key={id}>
            <Text size="xs" c="dimmed">
              {kind.charAt(0) + kind.slice(1).toLowerCase()}
            </Text>
            <Text fw={600}>{view === undefined ? title : <ViewLink href={view}>{title}</ViewLink>}</Text>
            {subtitle !== '' && <Text size="sm">{subtitle}</Text>}
            <CopyText text={id} label="ID" />
          </Paper>
        );
      })}
    </ul>
  );
}

/** What a text may mean that is no identifier. */
function Candidates({ search, hits }: { search: string; hits: readonly Hit[] }) {
  if (hits.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState icon={<QuestionMarkCircleIcon />} title={`Nothing found for “${search}”`}>
          Enter IDs, signatures and addresses in full. A phone number can be found once a fan has signed in with it.
          Requests are kept for 30 days by default.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Paper withBorder p="md" radius="md">
      <Text size="sm" pb="xs">
        “{search}” is not an ID. Did you mean:
      </Text>
      <ul className="plain-list">
        {hits.map(({ kind, id, title, subtitle }) => (
          <li key={id}>
            <Anchor component={Link} href={storyOf(id)} size="sm">
              {title}
            </Anchor>{' '}
            <span className="aside">
              {kind.toLowerCase()}
              {subtitle !== '' && ` · ${subtitle}`}
            </span>
          </li>
        ))}
      </ul>
    </Paper>
  );
}
