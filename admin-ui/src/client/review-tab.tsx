import { Stack, Text } from '@mantine/core';
import { Diff } from '../parts/diff.tsx';
import { StateMark, type Tone } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Section } from '../parts/section.tsx';
import type { ClientData, ReviewData } from './document.ts';
import { asText, nameOfField } from './field-names.ts';

/** What changed since the last approval, and every review so far. */
export function ClientReviewTab({ client }: { client: ClientData }) {
  const { changesSinceApproval, reviews } = client;
  return (
    <Stack gap="md">
      <Section title="Changes since the last approval">
        {changesSinceApproval === null ? (
          <Text size="sm" c="dimmed">
            It has not been approved yet: everything under Configuration is new.
          </Text>
        ) : changesSinceApproval.length === 0 ? (
          <Text size="sm" c="dimmed">
            None: it is registered exactly as it was approved.
          </Text>
        ) : (
          <Diff
            caption="Changes since the last approval"
            beforeTitle="As approved"
            afterTitle="Now"
            differences={changesSinceApproval.map(({ field, before, after }) => ({
              label: nameOfField(field),
              before: asText(field, before),
              after: asText(field, after),
            }))}
          />
        )}
      </Section>
      <Section title="Reviews">
        {reviews.length === 0 ? (
          <Text size="sm" c="dimmed">
            None yet. Submitting the client begins one.
          </Text>
        ) : (
          <ol className="plain-list">
            {reviews.map((review) => (
              <li key={review.id}>
                <ReviewStory review={review} />
              </li>
            ))}
          </ol>
        )}
      </Section>
    </Stack>
  );
}

const DECISIONS: Record<NonNullable<ReviewData['decision']>, { label: string; tone: Tone }> = {
  APPROVED: { label: 'Approved', tone: 'good' },
  REJECTED: { label: 'Rejected', tone: 'bad' },
  WITHDRAWN: { label: 'Withdrawn', tone: 'quiet' },
};

/** One review: its note and its decision. */
function ReviewStory({ review }: { review: ReviewData }) {
  const { decision, decidedAt, decidedBy, editors, note, reason, submittedAt, submittedBy } = review;
  return (
    <Stack gap={4} className="story">
      <Text size="sm">
        <strong>{submittedBy?.name ?? 'The system'}</strong> submitted it <Moment at={submittedAt} />
        {editors.length > 0 && `; edited in review by ${editors.map(({ name }) => name).join(', ')}`}
      </Text>
      <blockquote>{note}</blockquote>
      {decision === null || decidedAt === null ? (
        <StateMark tone="waiting">Waits for a decision</StateMark>
      ) : (
        <>
          <Text size="sm">
            <StateMark tone={DECISIONS[decision].tone}>{DECISIONS[decision].label}</StateMark> by{' '}
            <strong>{decidedBy?.name ?? 'the system'}</strong> <Moment at={decidedAt} />
          </Text>
          {reason && <blockquote>{reason}</blockquote>}
        </>
      )}
    </Stack>
  );
}
