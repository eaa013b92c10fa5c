import { ArchiveBoxXMarkIcon } from '@heroicons/react/24/outline';
import { Paper } from '@mantine/core';
import { useParams } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { EmptyState, findIn } from '../../kit/parts/instead.tsx';
import { Page, Section, TextLink } from '../../kit/parts/page.tsx';
import { CopyText, Quiet } from '../../kit/parts/text.tsx';
import { CopyWithButton, Facts, inUtc, Moment } from '../../kit/parts/values.tsx';
import { OutcomeMark, Particulars, Told } from '../../kit/requests/cells.tsx';
import { ENTRY, type EntryData, References, RegisteredUris, Story } from '../activity/story.tsx';
import { graphql } from '../data/graphql.ts';
import { storyOf } from '../places.ts';

const REQUEST = graphql(
  `
  query Request($id: ID!, $search: String!) {
    request(id: $id) { ...Entry }
    timeline(search: $search) { entries { ...Entry } }
  }
`,
  [ENTRY],
);

/** One request, and what the same session or grant did around it. */
export function RequestPage() {
  const { id } = useParams<{ id: string }>();
  const view = useView('request', REQUEST, { id, search: id });
  const { found, instead } = findIn(view, 'request', (data) => data);
  if (!found) return instead;
  const { request, timeline } = found;
  const above = [{ title: 'Requests', href: '/requests' }];
  return (
    <Page title="Request" above={above} marks={request && <OutcomeMark outcome={request.outcome} />}>
      {request ? (
        <Section
          title={request.title}
          actions={
            <CopyWithButton text={answerFor(id, request)} label="Copy answer for the partner" copied="Answer copied" />
          }
        >
          <Told message={request.message} fix={request.fix} />
          <RegisteredUris of={request} />
          {request.outcome !== 'ok' && request.message === null && (
            <Quiet>The text of the answer was not kept; its code is {request.outcome}.</Quiet>
          )}
          <Facts
            of={{
              'Request ID': <CopyText text={id} label="request ID" />,
              Answered: (
                <span>
                  {inUtc(request.at)} (<Moment at={request.at} />)
                </span>
              ),
            }}
          />
          <Particulars of={request.details} />
          <References of={request.references} except={[id]} />
        </Section>
      ) : (
        <Paper withBorder>
          <EmptyState icon={<ArchiveBoxXMarkIcon />} title="Request not found">
            Requests are kept for 30 days by default and take about a second to appear. What this one changed is in{' '}
            <TextLink href={storyOf(id)}>its timeline</TextLink>.
          </EmptyState>
        </Paper>
      )}
      {timeline.entries.length > 0 && (
        <Section
          title="Before and after"
          description="Other activity of the same sign-in or grant around this request."
        >
          <Story entries={timeline.entries} about={[]} />
        </Section>
      )}
    </Page>
  );
}

/** What a partner needs to know about one call: which it was, what was answered, and what to do. */
function answerFor(id: string, { at, outcome, message, fix, details }: EntryData): string {
  const { called, status } = details as { called?: unknown; status?: unknown };
  const lines: [string, unknown][] = [
    ['Request ID', id],
    ['Time', inUtc(at)],
    ['Call', called],
    ['Answer', `${String(status)} ${outcome}`],
    ['Message', message],
    ['What to do', fix],
  ];
  return lines.flatMap(([name, value]) => (value == null ? [] : [`${name}: ${String(value)}`])).join('\n');
}
