import { Anchor, Button, Group, Paper, TextInput } from '@mantine/core';
import { IconSearch, IconUserSearch } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';

const FIND_FANS = graphql(`
  query FindFans($phone: String!) {
    findFans(phone: $phone) { id mode phone createdAt testUser { partner { name } } }
  }
`);

type FoundFan = ResultOf<typeof FIND_FANS>['findFans'][number];

/**
 * Finds fans by phone or id. The number is kept in the history's state, not in the address: addresses end up in logs and
 * browser histories, and a phone number is personal data.
 */
export function FansPage() {
  const [, navigate] = useLocation();
  const state = useHistoryState<{ phone?: string } | null>();
  const asked = state?.phone ?? '';
  const [text, setText] = useState(asked);
  const view = useView('find-fans', FIND_FANS, { phone: asked }, { enabled: asked !== '' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = text.trim();
    if (/^usr_\w+$/.test(typed)) return navigate(`/fans/${typed}`);
    navigate('/fans', { state: { phone: typed } });
  };
  return (
    <Page
      title="Fans"
      description="End users of the service. Their phone numbers are masked; the same number in sandbox and in production is two fans."
    >
      <form onSubmit={submit} noValidate>
        <Group gap="xs" align="flex-end" role="search">
          <TextInput
            label="Phone number or fan id"
            description="Typed in any way: +44 7400 123456, 0044 7400-123-456, (555) 010-0123, usr_…"
            data-list-search
            autoComplete="off"
            className="find-field"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" loading={view.isFetching} disabled={text.trim() === ''}>
            Find
          </Button>
        </Group>
      </form>
      <FailureAlert failure={asked === '' ? null : view.error} title="No fan was looked for" />
      {asked === '' ? (
        <Paper withBorder>
          <EmptyState icon={<IconUserSearch />} title="Find a fan">
            Fans are not listed: look one up by the number that they signed in with. A wallet, a ticket or a grant leads
            to its fan by the search, Ctrl K.
          </EmptyState>
        </Paper>
      ) : (
        !view.isPlaceholderData && view.data && <FoundFans fans={view.data.findFans} />
      )}
    </Page>
  );
}

function FoundFans({ fans }: { fans: readonly FoundFan[] }) {
  if (fans.length === 0) {
    return (
      <Paper withBorder role="status">
        <EmptyState icon={<IconUserSearch />} title="Nobody has signed in with this number">
          Check the country code: a number without one is read as one of the US.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Section title={fans.length === 1 ? 'One fan has this number' : `${fans.length} fans have this number`}>
      <ul className="plain-list" aria-label="Fans">
        {fans.map(({ id, mode, phone, createdAt, testUser }) => (
          <li key={id} className="line">
            <Anchor component={Link} href={`/fans/${id}`} size="sm">
              {phone}
            </Anchor>
            <span className="aside marks">
              {testUser && `test user of ${testUser.partner.name}`}
              <Moment at={createdAt} />
              <ModeMark mode={mode} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
