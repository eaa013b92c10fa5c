import { Stack, Text } from '@mantine/core';
import { StateMark, type Tone } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import type { ReviewData } from './document.ts';

const DECISIONS: Record<NonNullable<ReviewData['decision']>, { label: string; tone: Tone }> = {
  APPROVED: { label: 'Approved', tone: 'good' },
  REJECTED: { label: 'Rejected', tone: 'bad' },
  WITHDRAWN: { label: 'Withdrawn', tone: 'quiet' },
};

/** One review: its note and its decision. */
export function ReviewStory({ review }: { review: ReviewData }) {
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
