import { Checkbox, Select, Text, TextInput } from '@mantine/core';
import { useChange } from '../../kit/data/view.ts';
import { FormDialog, ReasonField } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { notify } from '../../kit/parts/notify.tsx';
import { FindSelect, useClients } from '../choosing/find-select.tsx';
import { ENDS_SALES } from '../fan/sales.tsx';
import { countryName } from '../parts/country-name.ts';
import { KIND_OPTIONS, KINDS, type Kind, nameOf, SET } from './kill-switches.tsx';

interface StopFormProps {
  /** Initial values, from the address. */
  kind: Kind;
  subject: string;
  onClose: () => void;
}

/** Sets a kill switch, with a reason. */
export function StopForm({ kind, subject, onClose }: StopFormProps) {
  const stop = useChange(SET);
  const form = useSendForm({
    initialValues: { kind, subject, endsSales: true, reason: '' },
    validate: {
      subject: (text, values) => subjectError(values.kind, text.trim()),
      reason: (text) => (text.trim() === '' ? 'Enter a reason. All staff see it while this is stopped.' : null),
    },
    send: async (typed) => {
      const target = typed.kind === 'CO_SIGNING' ? null : typed.subject.trim();
      const set = await stop.mutateAsync({
        kind: typed.kind,
        subject: target,
        reason: typed.reason.trim(),
        endsSales: typed.endsSales && hasSales(typed.kind),
      });
      notify(`Stopped: ${nameOf(set)}.`);
    },
    onClose,
  });
  const { values, getInputProps, setFieldValue } = form;
  return (
    <FormDialog title="Set a kill switch" confirmLabel="Stop" failureTitle="Nothing was stopped" dangerous form={form}>
      <Select
        label="What"
        required
        allowDeselect={false}
        data={KIND_OPTIONS}
        {...getInputProps('kind')}
        onChange={(next) => {
          if (next === null) return;
          setFieldValue('kind', next);
          setFieldValue('subject', '');
        }}
        data-autofocus
      />
      {values.kind === 'CLIENT' && (
        <FindSelect
          label="Client"
          required
          {...getInputProps('subject')}
          value={values.subject}
          useFound={useClients}
          nothingFound="No client has this name or client_id."
        />
      )}
      {values.kind === 'FAN' && (
        <TextInput
          label="Fan ID"
          placeholder="usr_…"
          description="On the fan’s page. To find it, search for the phone number with Ctrl K."
          required
          {...getInputProps('subject')}
        />
      )}
      {values.kind === 'SMS_COUNTRY' && (
        <TextInput
          label="Country"
          placeholder="FR"
          maxLength={2}
          description={countryName(values.subject) ?? 'Two letters (ISO 3166-1).'}
          required
          {...getInputProps('subject')}
        />
      )}
      {values.kind === 'MARKETPLACE' && (
        <TextInput
          label="Address"
          description="Base58, as a listing and the registrations of clients name it."
          required
          maxLength={44}
          {...getInputProps('subject')}
        />
      )}
      <Text size="sm">{KINDS[values.kind].description}</Text>
      {hasSales(values.kind) && (
        <Checkbox {...SALES[values.kind]} {...getInputProps('endsSales', { type: 'checkbox' })} />
      )}
      <ReasonField
        description="All staff see it while this is stopped, and it is added to the audit log."
        {...getInputProps('reason')}
      />
    </FormDialog>
  );
}

/** What may be on sale by it, to take that off sale too. */
const SALES = {
  CLIENT: { label: ENDS_SALES.label, description: ENDS_SALES.description },
  FAN: { label: 'Take off sale what apps put on sale for the fan', description: ENDS_SALES.description },
  MARKETPLACE: {
    label: 'Also take off sale what is on sale there',
    description: 'Fans keep the tickets. A sale that goes through first stands. Nothing is put on sale again later.',
  },
};

function hasSales(kind: Kind): kind is keyof typeof SALES {
  return kind in SALES;
}

/** Roughly: the service decodes it. */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

function subjectError(kind: Kind, subject: string): string | null {
  switch (kind) {
    case 'CO_SIGNING':
      return null;
    case 'CLIENT':
      return subject === '' ? 'Choose the client.' : null;
    case 'FAN':
      return subject.startsWith('usr_') ? null : 'A fan ID starts with usr_.';
    case 'SMS_COUNTRY':
      return countryName(subject) === undefined ? 'Two letters, such as FR.' : null;
    case 'MARKETPLACE':
      return ADDRESS.test(subject) ? null : 'An address has 32 to 44 letters and digits, without 0, O, I and l.';
  }
}
