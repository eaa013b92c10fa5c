import type { EventGroup } from './group-tickets.ts';

/**
 * The tickets that a search finds, in order: each word occurs in the event, the venue or the type. Case, accents and the
 * width of letters make no difference. Tickets keep their numbers in the whole list.
 */
export function searchGroups(groups: readonly EventGroup[], query: string, locale: string): EventGroup[] {
  const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase(locale);
  const words = plain(query).split(/\s+/).filter(Boolean);
  return groups.flatMap((group) => {
    const rows = group.rows.filter((row) => {
      const text = plain(`${group.eventName} ${group.venue ?? ''} ${row.ticketTypeName}`);
      return words.every((word) => text.includes(word));
    });
    return rows.length === 0 ? [] : [{ ...group, rows }];
  });
}
