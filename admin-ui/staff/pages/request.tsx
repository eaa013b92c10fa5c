import { Paper, Text } from '@mantine/core';
import { IconClockX } from '@tabler/icons-react';
import { useParams } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { CopyText } from '../../kit/parts/copy-text.tsx';
import { EmptyState } from '../../kit/parts/empty-state.tsx';
import { Facts } from '../../kit/parts/facts.tsx';
import { findIn } from '../../kit/parts/found.tsx';
import { inUtc, Moment } from '../../kit/parts/moment.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { ViewLink } from '../../kit/parts/view-link.tsx';
import { OutcomeMark } from '../../kit/requests/outcome-mark.tsx';
import { Particulars } from '../../kit/requests/particulars.tsx';
import { Told } from '../../kit/requests/told.tsx';
import { CopyAnswer } from '../activity/copy-answer.tsx';
import { ENTRY } from '../activity/kinds.ts';
import { References } from '../activity/references.tsx';
import { RegisteredUris } from '../activity/registered-uris.tsx';
import { Story } from '../activity/story.tsx';
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

/** One request of the last 30 days, and what the same session or grant did around it. */
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
        <Section title={request.title} actions={<CopyAnswer id={id} request={request} />}>
          <Told message={request.message} fix={request.fix} />
          <RegisteredUris of={request} />
          {request.outcome !== 'ok' && request.message === null && (
            <Text size="sm" c="dimmed">
              The text of the answer was not kept; its code is {request.outcome}.
            </Text>
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
          <EmptyState icon={<IconClockX />} title="Request not found">
            Requests are kept for 30 days and take about a second to appear. What this one changed is in{' '}
            <ViewLink href={storyOf(id)} underline="always">
              its timeline
            </ViewLink>
            .
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
