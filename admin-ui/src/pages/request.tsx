import { Paper } from '@mantine/core';
import { IconClockX } from '@tabler/icons-react';
import { useParams } from 'wouter';
import { ENTRY } from '../activity/kinds.ts';
import { Particulars } from '../activity/particulars.tsx';
import { References } from '../activity/references.tsx';
import { OutcomeMark, Story } from '../activity/story.tsx';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Facts } from '../parts/facts.tsx';
import { inUtc, Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { ViewLink } from '../parts/view-link.tsx';
import { storyOf } from '../places.ts';
import { findIn } from './found.tsx';

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
  const above = [{ title: 'Timeline', href: '/timeline' }];
  return (
    <Page title="Request" above={above} marks={request && <OutcomeMark outcome={request.outcome} />}>
      {request ? (
        <Section title={request.title}>
          <Facts
            of={{
              'X-Request-Id': <CopyText text={id} label="request id" />,
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
          <EmptyState icon={<IconClockX />} title="No such request is kept">
            Requests are kept for 30 days, and the newest second may still be on its way. What it changed is in{' '}
            <ViewLink href={storyOf(id)} underline="always">
              its story
            </ViewLink>
            .
          </EmptyState>
        </Paper>
      )}
      {timeline.entries.length > 0 && (
        <Section title="Around it" description="What the same sign-in or grant did before and after.">
          <Story entries={timeline.entries} about={[]} />
        </Section>
      )}
    </Page>
  );
}
