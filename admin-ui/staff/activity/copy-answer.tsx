import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { inUtc } from '../../kit/parts/moment.tsx';
import type { EntryData } from './kinds.ts';

/** Copies what a partner needs to know about one call: which it was, what was answered, and what to do. */
export function CopyAnswer({ id, request }: { id: string; request: EntryData }) {
  return (
    <CopyButton value={answerFor(id, request)} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={copy}
        >
          {copied ? 'Answer copied' : 'Copy answer for the partner'}
        </Button>
      )}
    </CopyButton>
  );
}

function answerFor(id: string, { at, outcome, message, fix, details }: EntryData): string {
  const { called, status } = details as { called?: unknown; status?: unknown };
  const lines: [string, unknown][] = [
    ['Request ID', id],
    ['Time', inUtc(at)],
    ['Call', called],
    ['Answer', `${String(status)} ${outcome}`],
    ['Message', message],
    ['What to do', fix],
  ];
  return lines.flatMap(([name, value]) => (value == null ? [] : [`${name}: ${String(value)}`])).join('\n');
}
