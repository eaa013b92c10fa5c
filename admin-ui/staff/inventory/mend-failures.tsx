import { FileInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { REFUSAL } from '../../kit/data/document.ts';
import { Failure } from '../../kit/data/failure.ts';
import { useChange } from '../../kit/data/view.ts';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { ReasonField } from '../../kit/parts/reason-field.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { useSendForm } from '../../kit/parts/use-send-form.ts';
import { graphql } from '../data/graphql.ts';

const MEND = graphql(`
  mutation MendFailures($runId: ID!, $rows: [JSON!]!, $reason: String!) {
    mendFailures(runId: $runId, rows: $rows, reason: $reason) { ${REFUSAL} ... on ImportRun { id state } }
  }
`);

/** What one call of the console takes, with room to spare. */
const MOST_BYTES = 900_000;

/** A button that uploads mended rows in place of those that failed. */
export function MendFailures({ runId, disabledReason }: { runId: string; disabledReason: string | undefined }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <ActionButton
        variant="default"
        leftSection={<IconUpload size={16} aria-hidden />}
        right="inventory:mend"
        fresh
        disabledReason={disabledReason}
        onClick={() => setAsking(true)}
      >
        Upload mended rows
      </ActionButton>
      {asking && <MendForm runId={runId} onClose={() => setAsking(false)} />}
    </>
  );
}

function MendForm({ runId, onClose }: { runId: string; onClose: () => void }) {
  const mend = useChange(MEND);
  const form = useSendForm({
    initialValues: { file: null as File | null, reason: '' },
    validate: {
      file: (file) => {
        if (file === null) return 'Choose the file.';
        return file.size > MOST_BYTES ? 'The file is too large. Upload it in parts of at most 1,000 rows.' : null;
      },
      reason: (text) => (text.trim() === '' ? 'Enter a reason.' : null),
    },
    send: async ({ file, reason }) => {
      const rows = rowsIn((await file?.text()) ?? '');
      await mend.mutateAsync({ runId, rows, reason: reason.trim() });
      notify('The mended rows are under way.');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Upload mended rows"
      confirmLabel="Upload"
      failureTitle="Nothing was changed"
      form={form}
      onClose={onClose}
    >
      <FileInput
        label="File"
        description="The failed rows as downloaded, mended, each with its _line: at most 1,000. Tickets are not taken from their holders here."
        accept=".ndjson,.jsonl,application/x-ndjson"
        required
        data-autofocus
        {...form.getInputProps('file')}
      />
      <ReasonField {...form.getInputProps('reason')} />
    </FormDialog>
  );
}

/** @throws Failure for a line that is no JSON */
function rowsIn(text: string): unknown[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line)];
    } catch {
      throw new Failure('invalid_file', `Line ${index + 1} of the file is not JSON.`);
    }
  });
}
