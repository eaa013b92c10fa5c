import { Textarea, type TextareaProps } from '@mantine/core';

/** Asks why something is done. The answer becomes part of the audit entry. */
export function ReasonField(props: TextareaProps) {
  return (
    <Textarea
      label="Reason"
      description="It is added to the audit log."
      required
      autosize
      minRows={2}
      maxRows={8}
      maxLength={1000}
      {...props}
    />
  );
}
