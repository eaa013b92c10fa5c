import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CheckSheet, countsOf } from '../../../console-kit/client/check-verdict.tsx';
import { Moment } from '../../../console-kit/parts/moment.tsx';
import type { ReviewData } from './document.ts';

/** The go-live check that the partner attached to the client: when it was, and what was seen. */
export function GoLiveCheck({ review: { goLiveCheck: run } }: { review: ReviewData }) {
  if (run === null) {
    return (
      <Text size="sm" c="dimmed">
        No finished go-live check is attached to this client.
      </Text>
    );
  }
  return (
    <>
      {run.isStale && (
        <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title="The go-live check is stale">
          Redirect URIs have changed since. Ask the partner for another check.
        </Alert>
      )}
      <details>
        <summary>
          <Text span size="sm">
            Go-live check of {run.clientName}, finished <Moment at={run.finishedAt} />: {countsOf(run.results)}
          </Text>
        </summary>
        <CheckSheet lines={run.results} />
      </details>
    </>
  );
}
