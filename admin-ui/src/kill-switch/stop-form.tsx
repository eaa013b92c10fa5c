import { Select, Text, Textarea, TextInput } from '@mantine/core';
import { FindSelect } from '../choosing/find-select.tsx';
import { useClients } from '../choosing/use-found.ts';
import { useChange } from '../data/view.ts';
import { countryName } from '../parts/country-name.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { notify } from '../parts/undo.tsx';
import { useFields } from '../parts/use-fields.ts';
import { KINDS, type Kind, nameOf, SET } from './kinds.ts';

interface StopFormProps {
  /** What the address asks for; both can be changed. */
  kind: Kind;
  subject: string;
  onClose: () => void;
}

/** Stops something: what, and why. */
export function StopForm({ kind, subject, onClose }: StopFormProps) {
  const stop = useChange(SET);
  const form = useFields(
    { kind, subject, reason: '' },
    ({ kind: chosen, subject: what, reason }) => ({
      subject: subjectProblem(chosen, what),
      reason: reason.trim() === '' ? 'Say why: everybody sees it while it is stopped.' : undefined,
    }),
    async (typed) => {
      const target = typed.kind === 'CO_SIGNING' ? null : typed.subject.trim();
      const set = await stop.mutateAsync({ kind: typed.kind, subject: target, reason: typed.reason.trim() });
      notify(`Stopped: ${nameOf(set)}.`);
      onClose();
    },
  );
  const { values, problems, set } = form;
  const choose = (next: string | null) => {
    const known = Object.keys(KINDS).find((each): each is Kind => each === next);
    if (known === undefined) return;
    set('kind', known);
    set('subject', '');
  };
  const field = {
    value: values.subject,
    required: true,
    error: problems.subject,
    onChange: (event: { currentTarget: { value: string } }) => set('subject', event.currentTarget.value),
  };
  return (
    <FormDialog
      title="Stop something"
      confirmLabel="Stop"
      failureTitle="Nothing was stopped"
      dangerous
      form={form}
      onClose={onClose}
    >
      <Select
        label="What"
        required
        allowDeselect={false}
        data={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
        value={values.kind}
        onChange={choose}
        data-autofocus
      />
      {values.kind === 'CLIENT' && (
        <FindSelect
          label="Client"
          required
          value={values.subject}
          error={problems.subject}
          onChange={(next) => set('subject', next)}
          useFound={useClients}
          nothingFound="No client has this in its name or as its client_id."
        />
      )}
      {values.kind === 'FAN' && (
        <TextInput
          label="Fan id"
          placeholder="usr_…"
          description="From the fan’s page: search a phone number with Ctrl K."
          {...field}
        />
      )}
      {values.kind === 'SMS_COUNTRY' && (
        <TextInput
          label="Country"
          placeholder="FR"
          maxLength={2}
          description={countryName(values.subject) ?? 'Two letters of ISO 3166-1.'}
          {...field}
        />
      )}
      <Text size="sm">{KINDS[values.kind].description}</Text>
      <Textarea
        label="Reason"
        description="Everybody in the console reads it while it is stopped; it goes into the audit log."
        required
        autosize
        minRows={2}
        maxLength={1000}
        value={values.reason}
        error={problems.reason}
        onChange={(event) => set('reason', event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function subjectProblem(kind: Kind, subject: string): string | undefined {
  const text = subject.trim();
  switch (kind) {
    case 'CO_SIGNING':
      return undefined;
    case 'CLIENT':
      return text === '' ? 'Choose the client.' : undefined;
    case 'FAN':
      return text.startsWith('usr_') ? undefined : 'A fan id begins with usr_.';
    case 'SMS_COUNTRY':
      return countryName(text) === undefined ? 'Two letters, such as FR.' : undefined;
  }
}
