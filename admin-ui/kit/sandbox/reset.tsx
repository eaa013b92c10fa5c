import { CheckCircleIcon } from '@heroicons/react/24/outline';
import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useDisabledReason } from '../data/person.ts';
import { useSendForm } from '../parts/form.ts';
import { FailureAlert } from '../parts/instead.tsx';
import { LinkButton, Page, Section, TextLink } from '../parts/page.tsx';
import { CodeBlock } from '../parts/values.tsx';

/** Identifiers of what a reset has ended. */
interface Ended {
  permits: readonly string[];
  grants: readonly string[];
  events: readonly string[];
  testUsers: readonly string[];
}

interface ResetFormProps {
  partner: { name: string };
  contents: { permits: number; grants: number; events: number; testUsers: number };
  reset: (request: { confirm: string; keepTestUsers: boolean }) => Promise<Ended>;
  onEnded: (ended: Ended) => void;
  cancelHref: string;
}

/** Shows what will end, and asks for the partner's name: a reset can't be undone. */
function ResetForm({ partner, contents, reset, onEnded, cancelHref }: ResetFormProps) {
  const disabledReason = useDisabledReason('sandbox:write');
  const form = useSendForm({
    initialValues: { confirm: '', keepTestUsers: true },
    validate: {
      confirm: (name) => (name.trim() === partner.name ? null : `Enter the partner’s name: ${partner.name}`),
    },
    send: async (values) => onEnded(await reset(values)),
  });
  const { keepTestUsers } = form.values;
  const { permits, grants, events, testUsers } = contents;
  const isEmpty = permits + grants + events + testUsers === 0;
  return (
    <Section
      title="What will end"
      description="This can’t be undone. Accounts on the test network stay but are no longer used."
    >
      <form onSubmit={form.submit} noValidate>
        <Stack gap="lg">
          <ul className="figures" aria-label="What will end">
            <Figure figure={permits} description="permits are revoked, and their tickets disappear" />
            <Figure figure={grants} description="grants end, and their tokens stop working" />
            <Figure figure={events} description="of its own test events end" />
            <Figure
              figure={keepTestUsers ? 0 : testUsers}
              description={
                keepTestUsers
                  ? `test users are deleted, ${testUsers.toLocaleString('en')} stay`
                  : 'test users are deleted'
              }
            />
          </ul>
          {isEmpty && (
            <Text size="sm" role="status">
              The sandbox is empty. There is nothing to reset.
            </Text>
          )}
          <Checkbox
            label="Keep test users"
            description="They keep their phone numbers, codes and wallets, but lose their tickets."
            {...form.getInputProps('keepTestUsers', { type: 'checkbox' })}
          />
          <TextInput
            label={`To confirm, type ${partner.name}`}
            required
            autoComplete="off"
            maw={460}
            {...form.getInputProps('confirm')}
          />
          <FailureAlert failure={form.failure} title="Nothing was changed" />
          {disabledReason !== undefined && (
            <Text size="sm" role="status">
              {disabledReason}
            </Text>
          )}
          <Group gap="xs">
            <Button
              type="submit"
              color="red.9"
              loading={form.submitting}
              disabled={disabledReason !== undefined || isEmpty}
            >
              Reset the sandbox
            </Button>
            <LinkButton href={cancelHref}>Cancel</LinkButton>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function Figure({ figure, description }: { figure: number; description: string }) {
  return (
    <Stack component="li" gap={0}>
      <span className="figure">{figure.toLocaleString('en')}</span> <span className="aside">{description}</span>
    </Stack>
  );
}

interface ResetResultProps {
  ended: Ended;
  partner: { name: string };
  /** Where a client can be chosen for a starter kit. */
  next: { title: string; href: string };
  back: { title: string; href: string };
}

/** The identifiers of what a reset has ended. */
function ResetResult({ ended, partner, next, back }: ResetResultProps) {
  const lists = [
    { title: 'Revoked permits', ids: ended.permits },
    { title: 'Ended grants', ids: ended.grants },
    { title: 'Ended test events', ids: ended.events },
    { title: 'Deleted test users', ids: ended.testUsers },
  ].filter(({ ids }) => ids.length > 0);
  return (
    <Stack gap="md">
      <Alert
        color="ticket"
        variant="light"
        icon={<CheckCircleIcon />}
        title={`The sandbox of ${partner.name} is empty`}
        role="status"
      >
        Next, create a starter kit for one of its clients: <TextLink href={next.href}>{next.title}</TextLink>.
      </Alert>
      {lists.map(({ title, ids }) => (
        <Section key={title} title={`${title} (${ids.length.toLocaleString('en')})`}>
          <CodeBlock label={title} text={ids.join('\n')} maxHeight={220} />
        </Section>
      ))}
      <Group>
        <LinkButton href={back.href}>{back.title}</LinkButton>
      </Group>
    </Stack>
  );
}

interface ResetPageProps {
  partner: { name: string };
  contents: ResetFormProps['contents'];
  reset: ResetFormProps['reset'];
  description: string;
  above?: { title: string; href: string }[];
  /** Where a client can be chosen. */
  clientsHref: string;
  back: { title: string; href: string };
}

/** Empties a sandbox once the partner's name was typed, then lists what has ended. */
export function ResetPage({ partner, contents, reset, description, above = [], clientsHref, back }: ResetPageProps) {
  const [ended, setEnded] = useState<Ended>();
  return (
    <Page title="Reset sandbox" above={above} mode="SANDBOX" description={description}>
      {ended ? (
        <ResetResult
          ended={ended}
          partner={partner}
          next={{ title: 'choose a client', href: clientsHref }}
          back={back}
        />
      ) : (
        <ResetForm partner={partner} contents={contents} reset={reset} onEnded={setEnded} cancelHref={back.href} />
      )}
    </Page>
  );
}
