import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../parts/page.tsx';
import { Quiet } from '../parts/text.tsx';
import { Moment } from '../parts/values.tsx';
import { DecisionMark } from './status.tsx';

interface Review {
  id: string;
  submittedAt: string;
  note: string | null;
  decision: Parameters<typeof DecisionMark>[0]['state'] | null;
  decidedAt: string | null;
  reason: string | null;
}

interface ReviewsProps<One> {
  reviews: readonly One[];
  titleOfOpen: string;
  /** Beside the title of the open one. */
  actions?: ReactNode;
  submitter: (review: One) => ReactNode;
  /** Who decided, after the decision: "by Ada". */
  decider?: (review: One) => ReactNode;
  /** What the open one would change. */
  open: (review: One) => ReactNode;
  /** Beside a decision, and under it. */
  action?: (review: One) => ReactNode;
  more?: (review: One) => ReactNode;
}

/** What waits for a decision, with everything it is about; and every decided review. */
export function Reviews<One extends Review>(props: ReviewsProps<One>) {
  const open = props.reviews.find(({ decision }) => decision === null);
  const decided = props.reviews.filter(({ decision }) => decision !== null);
  const submission = (review: One) => (
    <>
      Submitted by {props.submitter(review)} <Moment at={review.submittedAt} />
    </>
  );
  return (
    <Stack gap="md">
      {open && (
        <Section title={props.titleOfOpen} description={submission(open)} actions={props.actions}>
          <Quoted text={open.note} />
          {props.open(open)}
        </Section>
      )}
      <Section title="Earlier reviews">
        {decided.length === 0 ? (
          <Quiet>{open ? 'This is the first review.' : 'None. Submit the client to start its first review.'}</Quiet>
        ) : (
          <ol className="plain-list">
            {decided.map((review) => (
              <Stack key={review.id} component="li" gap={4} className="story">
                <Text size="sm">{submission(review)}</Text>
                <Quoted text={review.note} />
                {review.decision !== null && review.decidedAt !== null && (
                  <Group justify="space-between" align="flex-start" gap="xs">
                    <Text size="sm">
                      <DecisionMark state={review.decision} /> {props.decider?.(review)}{' '}
                      <Moment at={review.decidedAt} />
                    </Text>
                    {props.action?.(review)}
                  </Group>
                )}
                <Quoted text={review.reason} />
                {props.more?.(review)}
              </Stack>
            ))}
          </ol>
        )}
      </Section>
    </Stack>
  );
}

function Quoted({ text }: { text: string | null }) {
  return text ? <blockquote>{text}</blockquote> : null;
}
