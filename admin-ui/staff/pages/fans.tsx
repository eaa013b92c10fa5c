import { MagnifyingGlassIcon, UserIcon } from '@heroicons/react/24/outline';
import { Anchor, Button, Group, Paper, TextInput } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { ConfirmButton } from '../../kit/parts/dialog.tsx';
import { EmptyState, FailureAlert } from '../../kit/parts/instead.tsx';
import { ModeMark, Page, Section } from '../../kit/parts/page.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { useProposed } from '../proposal/proposals.tsx';

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
      description="The people who hold tickets. Phone numbers are masked. A number used in both sandbox and production belongs to two separate fans."
      actions={<ReopenAccount />}
    >
      <form onSubmit={submit} noValidate>
        <Group gap="xs" align="flex-end" role="search">
          <TextInput
            label="Phone number or fan ID"
            description="Any format works: +44 7400 123456, 0044 7400-123-456, (555) 010-0123, usr_…"
            data-list-search
            autoComplete="off"
            flex="1 1 260px"
            maw={560}
            leftSection={<MagnifyingGlassIcon width={16} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" loading={view.isFetching} disabled={text.trim() === ''}>
            Find
          </Button>
        </Group>
      </form>
      <FailureAlert failure={asked === '' ? null : view.error} title="The search did not work" />
      {asked === '' ? (
        <Paper withBorder>
          <EmptyState icon={<UserIcon />} title="Find a fan">
            Look up a fan by the phone number they signed in with. To start from a wallet, ticket or grant, use the
            search (Ctrl K).
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
        <EmptyState icon={<UserIcon />} title="No fan with this number">
          Check the country code. A number without one is treated as a US number.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Section title={fans.length === 1 ? '1 fan with this number' : `${fans.length} fans with this number`}>
      <ul className="plain-list" aria-label="Fans">
        {fans.map(({ id, mode, phone, createdAt, testUser }) => (
          <li key={id} className="line">
            <Anchor component={Link} href={`/fans/${id}`} size="sm">
              {phone}
            </Anchor>
            <Group component="span" justify="flex-end" gap="6px 12px" className="aside">
              {testUser && `test user of ${testUser.partner?.name ?? 'all partners'}`}
              <Moment at={createdAt} />
              <ModeMark mode={mode} />
            </Group>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const REOPEN = graphql(`
  mutation ProposeReopen($code: String!, $reason: String!) {
    proposeReopen(code: $code, reason: $reason) { ${REFUSAL} ... on Proposal { id } }
  }
`);

/** For a caller whose long unused number stopped at the sign-in page, which gave them a code. */
function ReopenAccount() {
  const propose = useChange(REOPEN);
  const proposed = useProposed();
  return (
    <ConfirmButton
      right="proposals:write"
      label="Enter a support code"
      title="Open an account for the holder of its number"
      confirmLabel="Propose"
      failureTitle="Nothing was proposed"
      field={{
        input: (props) => (
          <TextInput
            label="Code"
            description="From the sign-in page, such as 7K4M-2PQX. It shows that the caller holds the number, not that the account is theirs."
            required
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            {...props}
          />
        ),
        check: (code) => (code === '' ? 'Enter the code that the caller reads out.' : null),
      }}
      reason={{
        label: 'Reason',
        description: 'How you know that the account is the caller’s. It is added to the audit log.',
      }}
      run={async (reason, code) => proposed(await propose.mutateAsync({ code, reason }))}
    />
  );
}
