import { ExclamationTriangleIcon } from '@heroicons/react/24/outline';
import { Alert, Stack, Text, Title } from '@mantine/core';
import { CheckSheet, countsOf, SheetMark } from '../../kit/client/check-verdict.tsx';
import { isInForce } from '../../kit/client/registration.ts';
import { Reviews } from '../../kit/client/reviews.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { type ClientData, type ReviewData, submitterOf } from './document.ts';
import { useLogo } from './logo.tsx';
import { RestoreButton } from './restore-button.tsx';
import { ReviewSummary } from './review-summary.tsx';

/** What waits for a decision, with everything it is about; and every decided review. */
export function ClientReviewTab({ client }: { client: ClientData }) {
  const logo = useLogo(client.id);
  return (
    <Reviews
      reviews={client.reviews}
      titleOfOpen={isInForce(client) ? 'Edit waiting for review' : 'Waiting for review'}
      submitter={(review) => (
        <>
          <strong>{submitterOf(review, 'the')}</strong>
          {review.editors.length > 0 && ` (edited by ${review.editors.map(({ name }) => name).join(', ')})`}
        </>
      )}
      decider={({ decidedBy }) => (
        <>
          by <strong>{decidedBy?.name ?? 'the system'}</strong>
        </>
      )}
      open={(review) => (
        <>
          <GoLiveCheck review={review} />
          <ReviewSummary client={client} review={review} logo={logo} />
        </>
      )}
      action={(review) => <RestoreButton client={client} review={review} />}
      more={(review) => review.goLiveCheck !== null && <GoLiveCheck review={review} />}
    />
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
        <Alert variant="default" icon={<ExclamationTriangleIcon />} title="The go-live check is stale">
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
