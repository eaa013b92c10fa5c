import { Stack, Text } from '@mantine/core';
import { asDifferences } from '../../kit/client/field-names.ts';
import { Diff } from '../../kit/parts/diff.tsx';
import { StateMark, type Tone } from '../../kit/parts/marks.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { Section } from '../../kit/parts/section.tsx';
import type { ClientData, ReviewData } from './document.ts';
import { WithdrawButton } from './review-buttons.tsx';

/** What waits for a decision, and every decided review, with its reason. */
export function ClientReviews({ client }: { client: ClientData }) {
  const open = client.reviews.find(({ decision }) => decision === null);
  const decided = client.reviews.filter(({ decision }) => decision !== null);
  return (
    <Stack gap="md">
      {open && (
        <Section
          title="Waiting for review"
          description={<Submission review={open} />}
          actions={<WithdrawButton client={client} />}
        >
          <Note text={open.note} />
          {open.changes === null ? (
            <Text size="sm">This is the first review, of the whole registration.</Text>
          ) : (
            <Diff
              caption="What the change is"
              beforeTitle="In force"
              afterTitle="Requested"
              differences={asDifferences(open.changes)}
            />
          )}
        </Section>
      )}
      <Section title="Earlier reviews">
        {decided.length === 0 ? (
          <Text size="sm" c="dimmed">
            {open ? 'This is the first review.' : 'None. Submit the client to start its first review.'}
          </Text>
        ) : (
          <ol className="plain-list">
            {decided.map((review) => (
              <li key={review.id}>
                <DecidedReview review={review} />
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

function DecidedReview({ review }: { review: ReviewData }) {
  const { decision, decidedAt, reason, note } = review;
  return (
    <Stack gap={4} className="story">
      <Text size="sm">
        <Submission review={review} />
      </Text>
      <Note text={note} />
      {decision !== null && decidedAt !== null && (
        <Text size="sm">
          <StateMark tone={DECISIONS[decision].tone}>{DECISIONS[decision].label}</StateMark> <Moment at={decidedAt} />
        </Text>
      )}
      <Note text={reason} />
    </Stack>
  );
}

function Submission({ review: { submittedBy, submittedAt } }: { review: ReviewData }) {
  return (
    <>
      Submitted by {submittedBy === 'PARTNER' ? 'your company' : 'the people who run this service'}{' '}
      <Moment at={submittedAt} />
    </>
  );
}

function Note({ text }: { text: string | null }) {
  if (text === null || text === '') return null;
  return (
    <div className="story">
      <blockquote>{text}</blockquote>
    </div>
  );
}
