import { Stack, Text } from '@mantine/core';
import { Rows } from '../../kit/parts/rows.tsx';
import { ViewLink } from '../../kit/parts/view-link.tsx';

interface Cause {
  reason: string;
  message: string;
  rows: number;
  line: number;
}

/** Why rows of a file failed, the most frequent cause first. Each leads to its rows below. */
export function ImportCauses({ runId, causes }: { runId: string; causes: readonly Cause[] }) {
  return (
    <Rows
      caption="Causes"
      rows={causes.map((cause) => ({ ...cause, id: `${cause.reason} ${cause.message}` }))}
      columns={{
        Cause: ({ message, reason }) => (
          <Stack gap={0}>
            <span className="breakable">{message}</span>
            <Text span size="xs" c="dimmed" ff="monospace">
              {reason}
            </Text>
          </Stack>
        ),
        Rows: ({ rows }) => rows.toLocaleString('en'),
        'First line': ({ line }) => line.toLocaleString('en'),
        Show: ({ message }) => (
          <ViewLink
            href={`/imports/${runId}?cause=${encodeURIComponent(message)}`}
            aria-label={`Only these rows: ${message}`}
          >
            Only these rows
          </ViewLink>
        ),
      }}
      numeric={['Rows', 'First line']}
    />
  );
}
