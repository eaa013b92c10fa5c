import { Alert, Anchor, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconChevronUp, IconSearch, IconTimeline } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { ENTRY } from '../activity/kinds.ts';
import { Story } from '../activity/story.tsx';
import { Candidates, Subjects } from '../activity/subjects.tsx';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { inUtc } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { ViewLoading } from '../parts/view-loading.tsx';

const TIMELINE = graphql(
  `
  query Timeline($search: String!, $before: DateTime) {
    timeline(search: $search, before: $before, limit: 100) {
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
const PHONE = /^(?=(\D*\d){5})\P{L}+$/u;

/**
 * The timeline of anything with an identifier: `?search=…`, and `before` for an earlier part of it. A phone number is kept
 * in the history's state, as on the fans page.
 */
export function TimelinePage() {
  const [params, setParams] = useSearchParams();
  const state = useHistoryState<{ phone?: string } | null>();
  const search = state?.phone ?? params.get('search') ?? '';
  const before = params.get('before');
  const view = useView('timeline', TIMELINE, { search, before }, { enabled: search !== '' });
  const show = (text: string, more: { before?: string } = {}) => {
    if (PHONE.test(text)) setParams(more, { state: { phone: text } });
    else setParams({ ...(text !== '' && { search: text }), ...more });
  };
  return (
    <Page
      title="Timeline"
      description="Everything that was written down about one thing, in its order: sign-in, codes, consent, tokens, API calls, co-signatures, the chain, and what staff did. Requests are kept for 30 days."
    >
      <SearchBox key={search} value={search} onSearch={show} />
      {search === '' ? <HowToSearch /> : <Found search={search} view={view} before={before} turn={show} />}
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
            aria-label="Whose story"
            placeholder="Request id, client_id, grant, ticket, wallet, signature, phone…"
            leftSection={<IconSearch size={16} aria-hidden />}
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
}

function Found({ search, before, view, turn }: FoundProps) {
  const { data, error, isPlaceholderData, refetch } = view;
  if (error && !data) return <FailureAlert failure={error} title="The story could not be read" retry={refetch} />;
  if (!data || isPlaceholderData) return <ViewLoading />;
  const { subjects, entries, earlier } = data.timeline;
  if (subjects.length === 0) return <Candidates search={search} hits={data.search} />;
  return (
    <Stack gap="md">
      <FailureAlert failure={error} title="The story could not be refreshed" retry={refetch} />
      <Subjects of={subjects} />
      {before !== null && (
        <Alert variant="light" color="gray" p="xs">
          <Group justify="space-between">
            <Text size="sm">What happened before {inUtc(before)}.</Text>
            <Anchor component="button" type="button" size="sm" onClick={() => turn(search)}>
              Show the newest
            </Anchor>
          </Group>
        </Alert>
      )}
      {earlier !== null && (
        <Group justify="center">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconChevronUp size={14} aria-hidden />}
            onClick={() => turn(search, { before: earlier })}
          >
            Earlier
          </Button>
        </Group>
      )}
      {entries.length === 0 ? (
        <Paper withBorder>
          <EmptyState icon={<IconTimeline />} title="Nothing is written down">
            It is known, but nothing has happened with it yet, or what did was requests that are older than 30 days.
          </EmptyState>
        </Paper>
      ) : (
        <Story entries={entries} about={subjects.map(({ id }) => id)} />
      )}
    </Stack>
  );
}

function HowToSearch() {
  return (
    <Paper withBorder>
      <EmptyState icon={<IconTimeline />} title="Paste what you have">
        <ul className="ways">
          <li>the request id that a partner sends you (X-Request-Id of the answer)</li>
          <li>a client_id, or the id of a grant, session, ticket, permit, listing or claim</li>
          <li>a wallet, an address on the chain, or the signature of a claim</li>
          <li>a fan’s phone number, in any notation; it is shown masked</li>
        </ul>
      </EmptyState>
    </Paper>
  );
}
