import { TextInput } from '@mantine/core';
import { call } from '../../kit/data/call.ts';
import { dayAhead, EVENT_RULES, EventFields, eventOf, valuesOf } from '../../kit/event/event-fields.tsx';
import { localIn, momentIn, ownTimeZone } from '../../kit/event/zoned-time.ts';
import { FormDialog } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { notify } from '../../kit/parts/notify.tsx';
import { graphql } from '../data/graphql.ts';
import { useEventRow } from './rows.ts';

const TAKEN = 'Another event has this reference.';

const SAME_REFERENCE = graphql(`
  query EventsOfReference($reference: String!) {
    events(mode: PRODUCTION, search: $reference, first: 100) { nodes { id reference } }
  }
`);

/** A row with the reference of an event would change that event. */
async function isTaken(reference: string): Promise<boolean> {
  const { events } = await call(SAME_REFERENCE, { reference });
  return events.nodes.some((event) => event.reference === reference);
}

/** What a form needs of an event that exists. */
export interface EditedEvent {
  id: string;
  reference: string;
  name: string;
  venue: string | null;
  timeZone: string;
  startsAt: string;
  endsAt: string;
  resaleUntil: string | null;
}

interface EventFormProps {
  /** Undefined for a new one. */
  event?: EditedEvent;
  onClose: () => void;
}

/** Adds an event of production, or changes its name, place and time, and until when its tickets can be resold. */
export function EventForm({ event, onClose }: EventFormProps) {
  const upsert = useEventRow();
  const form = useSendForm({
    initialValues: event
      ? {
          reference: event.reference,
          reason: '',
          ...valuesOf(event),
          resaleUntil: event.resaleUntil === null ? '' : localIn(event.timeZone, event.resaleUntil),
        }
      : {
          reference: '',
          reason: '',
          name: '',
          venue: '',
          timeZone: ownTimeZone(),
          startsAt: dayAhead(30, '20:00'),
          endsAt: dayAhead(30, '23:00'),
          resaleUntil: '',
        },
    draft: event ? `event.${event.id}` : 'event',
    validate: {
      ...EVENT_RULES,
      reference: (text) => (text.trim() === '' ? 'Enter a reference.' : null),
      resaleUntil: (until, { endsAt }) => (until <= endsAt ? null : 'Enter a time that is not after the end.'),
    },
    check: async ({ reference }) => (event || !(await isTaken(reference.trim())) ? {} : { reference: TAKEN }),
    send: async (values) => {
      const { timeZone, resaleUntil } = values;
      const until = resaleUntil === '' ? null : momentIn(timeZone, resaleUntil).toISOString();
      const row = {
        reference: values.reference.trim(),
        ...timesKept({ ...eventOf(values), resaleUntil: until }, event),
      };
      const changed = await upsert(row, values.reason.trim() || undefined);
      const name = values.name.trim();
      if (changed !== undefined)
        notify(event ? (changed ? `${name} is changed.` : 'Nothing has changed.') : `${name} is added.`);
    },
    onClose,
  });
  return (
    <FormDialog
      title={event ? `Edit ${event.name}` : 'Add an event'}
      confirmLabel={event ? 'Save' : 'Add'}
      failureTitle={event ? 'The event was not changed' : 'The event was not added'}
      form={form}
    >
      {!event && (
        <TextInput
          label="Reference"
          description="The company’s own identifier, used in its rows. It can’t be changed later."
          required
          data-autofocus
          maxLength={200}
          {...form.getInputProps('reference')}
        />
      )}
      <EventFields form={form} isFirst={event !== undefined} />
      <TextInput
        type="datetime-local"
        label="Resale until"
        description="What is on sale then is taken off sale. Left empty, tickets can be resold until the event ends."
        {...form.getInputProps('resaleUntil')}
      />
      {event && (
        <TextInput
          label="Reason"
          description="Required where tickets can be resold for a shorter time and some are on sale, or where the event is moved to the past, which hides its tickets as cancelling does."
          maxLength={1000}
          {...form.getInputProps('reason')}
        />
      )}
    </FormDialog>
  );
}

/** Fields show minutes only: a time that was not touched keeps its seconds. */
function timesKept<Typed extends Pick<EditedEvent, 'startsAt' | 'endsAt' | 'resaleUntil'>>(
  typed: Typed,
  event: EditedEvent | undefined,
): Typed {
  if (!event) return typed;
  const kept = <Time extends string | null>(was: Time, is: Time) => (was?.slice(0, 16) === is?.slice(0, 16) ? was : is);
  return {
    ...typed,
    startsAt: kept(event.startsAt, typed.startsAt),
    endsAt: kept(event.endsAt, typed.endsAt),
    resaleUntil: kept(event.resaleUntil, typed.resaleUntil),
  };
}
