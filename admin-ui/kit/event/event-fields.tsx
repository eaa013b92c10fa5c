import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { localIn, momentIn, timeZones } from './zoned-time.ts';

/** Name, place and time of an event, as they are typed. */
interface EventValues {
  name: string;
  venue: string;
  timeZone: string;
  /** Of `datetime-local` fields, in the zone. */
  startsAt: string;
  endsAt: string;
}

export const EVENT_RULES = {
  name: (name: string) => (name.trim() === '' ? 'Enter a name.' : null),
  startsAt: (startsAt: string) => (startsAt === '' ? 'Enter the start time.' : null),
  endsAt: (endsAt: string, { startsAt }: { startsAt: string }) =>
    endsAt > startsAt ? null : 'Enter an end time after the start.',
};

/** The typed values, as the service's input. */
export function eventOf({ name, venue, timeZone, startsAt, endsAt }: EventValues) {
  return {
    name: name.trim(),
    venue: venue.trim() || null,
    timeZone,
    startsAt: momentIn(timeZone, startsAt).toISOString(),
    endsAt: momentIn(timeZone, endsAt).toISOString(),
  };
}

/** An event as its form begins. */
export function valuesOf(event: {
  name: string;
  venue: string | null;
  timeZone: string;
  startsAt: string;
  endsAt: string;
}): EventValues {
  const { name, venue, timeZone, startsAt, endsAt } = event;
  return {
    name,
    venue: venue ?? '',
    timeZone,
    startsAt: localIn(timeZone, startsAt),
    endsAt: localIn(timeZone, endsAt),
  };
}

/** A time some days from now, as the value of a `datetime-local` field. */
export function dayAhead(days: number, time: string): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}`;
}

interface EventFieldsProps<Values extends EventValues> {
  form: Pick<UseFormReturnType<Values>, 'getInputProps'>;
  /** Whether the focus begins at the name. */
  isFirst: boolean;
}

/** The fields of an event. Times are typed in the zone of the venue, in which fans read them. */
export function EventFields<Values extends EventValues>({ form, isFirst }: EventFieldsProps<Values>) {
  return (
    <>
      <TextInput
        label="Name"
        description="Shown with the tickets."
        required
        data-autofocus={isFirst || undefined}
        maxLength={200}
        {...form.getInputProps('name')}
      />
      <TextInput label="Venue" maxLength={200} {...form.getInputProps('venue')} />
      <Select
        label="Time zone"
        description="The venue’s time zone. The times below are in it, and fans see them in it."
        required
        searchable
        allowDeselect={false}
        data={timeZones()}
        limit={100}
        nothingFoundMessage="No matching time zone."
        {...form.getInputProps('timeZone')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput type="datetime-local" label="Starts" required {...form.getInputProps('startsAt')} />
        <TextInput type="datetime-local" label="Ends" required {...form.getInputProps('endsAt')} />
      </SimpleGrid>
    </>
  );
}
