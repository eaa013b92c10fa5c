import { Alert, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CheckSheet, countsOf, SheetMark } from '../../kit/client/check-verdict.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import type { ReviewData } from './document.ts';

/** The go-live check that the partner attached to the client: how it went, when it was, and what was seen. */
export function GoLiveCheck({ review: { goLiveCheck: run } }: { review: ReviewData }) {
  if (run === null) {
    return (
      <Stack gap={4}>
        <Title order={3}>Go-live check</Title>
        <Text size="sm" c="dimmed">
          No finished go-live check is attached to this client. You can ask the partner for one: they start it in their
          workspace.
        </Text>
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
