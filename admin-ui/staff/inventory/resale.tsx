import { Text } from '@mantine/core';
import { ViewLink } from '../../kit/parts/page.tsx';
import { inZone, Moment } from '../../kit/parts/values.tsx';

/** Who last set what can be resold, for documents; for `SetBy`. */
export const RESALE_CHANGE = 'resaleChange { id at actor actorName subject }';

interface SetByProps {
  /** Null while nobody has set it. */
  change: { at: string; actor: string; actorName: string | null; subject: string } | null;
}

/** Who last set what can be resold, and when, with the way to its entry. */
export function SetBy({ change }: SetByProps) {
  if (change === null) return null;
  const { at, actor, actorName, subject } = change;
  // the history of a ticket type is in the audit log alone
  const href = subject.startsWith('evt_')
    ? `/events/${subject}?tab=history`
    : `/audit?${new URLSearchParams({ subject, action: 'resale.changed' })}`;
  return (
    <Text size="xs" c="dimmed" component="div">
      <ViewLink href={href} size="xs">
        Set by {actorName ?? (actor === 'system' ? 'the system' : actor)}
      </ViewLink>{' '}
      <Moment at={at} />
    </Text>
  );
}

interface TicketTypeOfResale {
  resale: boolean;
  event: { resaleUntil: string | null; timeZone: string };
}

/** Whether a ticket can be resold no longer, or never could. */
export function isNotForResale({ resale, event }: TicketTypeOfResale): boolean {
  return !resale || (event.resaleUntil !== null && new Date(event.resaleUntil).getTime() <= Date.now());
}

/** What limits the resale of a ticket, in words; undefined where nothing does. */
export function resaleOf(ticketType: TicketTypeOfResale): string | undefined {
  const { resale, event } = ticketType;
  if (!resale) return 'not possible: no ticket of its type can be resold';
  if (event.resaleUntil === null) return undefined;
  return `${isNotForResale(ticketType) ? 'over since' : 'until'} ${inZone(event.resaleUntil, event.timeZone)}`;
}
