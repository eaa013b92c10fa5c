import { ArchiveBoxXMarkIcon } from '@heroicons/react/24/outline';
import { Paper, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useParams } from 'wouter';
import { graphql } from '../../kit/data/graphql.ts';
import { useView } from '../../kit/data/view.ts';
import { EmptyState, findIn } from '../../kit/parts/instead.tsx';
import { OutsideLink, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { CopyText, Quiet } from '../../kit/parts/text.tsx';
import { CodeBlock, CopyWithButton, Facts, inUtc, Moment } from '../../kit/parts/values.tsx';
import { OutcomeMark, Told } from '../../kit/requests/cells.tsx';
import { docsOfError } from '../address.ts';

const REQUEST = graphql(`
  query Request($id: ID!) {
    request(id: $id) {
      id at label title status outcome message fix durationMs
      client { id name mode }
      replay { curl variables }
    }
  }
`);

type Logged = NonNullable<ResultOf<typeof REQUEST>['request']>;

/** One request: what was answered, why, and how to make such a call again. */
export function RequestPage() {
  // as `encodeURIComponent` wrote it
  const id = decodeURIComponent(useParams<{ id: string }>().id);
  const view = useView('request', REQUEST, { id });
  const { found, instead } = findIn(view, 'request', (data) => data);
  if (!found) return instead;
  const { request } = found;
  const above = [{ title: 'Requests', href: '/requests' }];
  if (request === null) {
    return (
      <Page title="Request not found" above={above}>
        <Paper withBorder>
          <EmptyState icon={<ArchiveBoxXMarkIcon />} title="None of your requests has this ID">
            <CopyText text={id} label="request ID" />
            <p>
              Requests appear after about a second and are usually kept for 30 days. Only those that name one of your
              clients are here. The ID is in the X-Request-Id header of the answer.
            </p>
          </EmptyState>
        </Paper>
      </Page>
    );
  }
  return (
    <Page
      title={request.label}
      above={above}
      mode={request.client?.mode}
      marks={<OutcomeMark outcome={request.outcome} />}
    >
      <Answer request={request} />
      {request.replay && <Replay replay={request.replay} />}
    </Page>
  );
}

function Answer({ request }: { request: Logged }) {
  const { id, at, title, status, outcome, message, fix, durationMs, client } = request;
  const isRefused = outcome !== 'ok';
  return (
    <Section title={title}>
      <Told message={message} fix={fix} />
      {isRefused && (
        <Text size="sm">
          <OutsideLink href={docsOfError(outcome)}>What {outcome} means</OutsideLink>, with its causes and an example.
        </Text>
      )}
      <Facts
        of={{
          'Request ID': <CopyText text={id} label="request ID" />,
          Status: String(status),
          Outcome: outcome,
          Duration: `${durationMs.toLocaleString('en')} ms`,
          Client: client ? <ViewLink href={`/clients/${client.id}`}>{client.name}</ViewLink> : undefined,
          Answered: (
            <span>
              {inUtc(at)} (<Moment at={at} />)
            </span>
          ),
        }}
      />
    </Section>
  );
}

function Replay({ replay: { curl, variables } }: { replay: NonNullable<Logged['replay']> }) {
  return (
    <Section
      title="Make such a call again"
      description="The log keeps no bodies, tokens or codes, so you fill them in."
      actions={<CopyWithButton size="xs" text={curl} label="Copy as curl" />}
    >
      <CodeBlock text={curl} label="command" />
      {variables.length > 0 && <Quiet>Set {variables.map((name) => `$${name}`).join(', ')} first.</Quiet>}
    </Section>
  );
}
