import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CheckSheet, countsOf, SheetMark } from '../../kit/client/check-verdict.tsx';
import { isInForce } from '../../kit/client/registration.ts';
import { DecisionMark } from '../../kit/client/status.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { type ClientData, openReviewOf, type ReviewData, submitterOf } from './document.ts';
import { useLogo } from './logo.tsx';
import { RestoreButton } from './restore-button.tsx';
import { ReviewSummary } from './review-summary.tsx';

/** What waits for a decision, with everything it is about; and every decided review. */
export function ClientReviewTab({ client }: { client: ClientData }) {
  const open = openReviewOf(client);
  const decided = client.reviews.filter(({ decision }) => decision !== null);
  return (
    <Stack gap="md">
      {open && <OpenReview client={client} review={open} />}
      <Section title="Earlier reviews">
        {decided.length === 0 ? (
          <Quiet>{open ? 'This is the first review.' : 'None. Submit the client to start its first review.'}</Quiet>
        ) : (
          <ol className="plain-list">
            {decided.map((review) => (
              <li key={review.id}>
                <DecidedReview client={client} review={review} />
              </li>
            ))}
          </ol>
        )}
      </Section>
    </Stack>
  );
}

function OpenReview({ client, review }: { client: ClientData; review: ReviewData }) {
  const logo = useLogo(client.id);
  return (
    <Section
      title={isInForce(client) ? 'Edit waiting for review' : 'Waiting for review'}
      description={<Submission review={review} />}
    >
      <div className="story">
        <blockquote>{review.note}</blockquote>
      </div>
      <GoLiveCheck review={review} />
      <ReviewSummary client={client} review={review} logo={logo} />
    </Section>
  );
}

/** One review: its note and its decision. */
function DecidedReview({ client, review }: { client: ClientData; review: ReviewData }) {
  const { decision, decidedAt, decidedBy, note, reason } = review;
  return (
    <Stack gap={4} className="story">
      <Text size="sm">
        <Submission review={review} />
      </Text>
      <blockquote>{note}</blockquote>
      {decision !== null && decidedAt !== null && (
        <Group justify="space-between" align="flex-start" gap="xs">
          <Text size="sm">
            <DecisionMark state={decision} /> by <strong>{decidedBy?.name ?? 'the system'}</strong>{' '}
            <Moment at={decidedAt} />
          </Text>
          <RestoreButton client={client} review={review} />
        </Group>
      )}
      {reason && <blockquote>{reason}</blockquote>}
      {review.goLiveCheck !== null && <GoLiveCheck review={review} />}
    </Stack>
  );
}

/** Who submitted it and when, and who edited it. */
function Submission({ review }: { review: ReviewData }) {
  const { submittedAt, editors } = review;
  return (
    <>
      Submitted by <strong>{submitterOf(review, 'the')}</strong> <Moment at={submittedAt} />
      {editors.length > 0 && `; edited by ${editors.map(({ name }) => name).join(', ')}`}
    </>
  );
}

/** The go-live check that the partner attached to the client: how it went, when it was, and what was seen. */
function GoLiveCheck({ review: { goLiveCheck: run } }: { review: ReviewData }) {
  if (run === null) {
    return (
      <Stack gap={4}>
        <Title order={3}>Go-live check</Title>
        <Quiet>
          No finished go-live check is attached to this client. You can ask the partner for one: they start it in their
          workspace.
        </Quiet>
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      <Title order={3}>Go-live check</Title>
      {run.isStale && (
        <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title="The go-live check is stale">
          Redirect URIs have changed since. Ask the partner for another check.
        </Alert>
      )}
      <div>
        <SheetMark lines={run.results} />
      </div>
      <details open={run.failed > 0}>
        <summary>
          <Text span size="sm">
            Go-live check of {run.clientName}, finished <Moment at={run.finishedAt} />: {countsOf(run.results)}
          </Text>
        </summary>
        <CheckSheet lines={run.results} />
      </details>
    </Stack>
  );
}
