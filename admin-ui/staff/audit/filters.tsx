import { TextInput } from '@mantine/core';
import { type Filter, searchFilter, selectFilter } from '../../kit/parts/use-list.tsx';

const ACTORS = {
  staff: 'By staff',
  service: 'By service accounts',
  client: 'By clients',
  fan: 'By fans',
  system: 'By the system',
};

/** The first part of an action, before the point. */
const ACTIONS = {
  client: 'Clients',
  partner: 'Partners',
  grant: 'Grants',
  fan: 'Fans',
  listing: 'Listings',
  claim: 'Claims',
  permit: 'Permits',
  event: 'Events',
  ticket: 'Tickets',
  ticket_type: 'Ticket types',
  inventory: 'Inventory rows',
  import_run: 'Import runs',
  sandbox: 'Sandbox',
  staff: 'Staff',
  staff_token: 'Staff tokens',
  service_account: 'Service accounts',
  kill_switch: 'Kill switches',
  signing_key: 'Signing keys',
  chain_authority: 'Onchain authority',
  audit: 'Audit log',
};

/** A link may also set one whole actor or action, which then is an option of its own. */
const kindFilter =
  (label: string, kinds: Record<string, string>): Filter =>
  (field) => {
    const all = field.value === '' || field.value in kinds ? kinds : { ...kinds, [field.value]: field.value };
    const options = Object.entries(all).map(([value, name]) => ({ value, label: name }));
    return selectFilter(label, options)(field);
  };

/** @param description in full, for a screen reader */
const dayFilter =
  (label: string, description: string): Filter =>
  ({ value, onChange }) => (
    <TextInput
      type="date"
      aria-label={description}
      leftSection={<span aria-hidden>{label}</span>}
      leftSectionWidth={58}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      flex="0 1 210px"
    />
  );

/** The filters of the audit log. */
export const AUDIT_FILTERS = {
  text: searchFilter('Search in the details', 'Part of the details'),
  actor: kindFilter('Who', ACTORS),
  action: kindFilter('What', ACTIONS),
  subject: searchFilter('Target', 'Target ID'),
  requestId: searchFilter('Request ID', 'Request ID'),
  from: dayFilter('From', 'From this day (UTC)'),
  to: dayFilter('To', 'Through this day (UTC)'),
};

export const MORE_AUDIT_FILTERS = ['subject', 'requestId', 'from', 'to'] as const;

const DAY_MS = 86_400_000;

/** The filters as the service takes them: only those that are set, days as moments. */
export function toAuditFilter(values: Record<keyof typeof AUDIT_FILTERS, string | null>): Record<string, string> {
  const { from, to, ...texts } = values;
  const moments = { from: momentOf(from, 0), to: momentOf(to, DAY_MS) };
  return Object.fromEntries(
    Object.entries({ ...texts, ...moments }).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** @param day `2026-11-21`; anything else does not filter */
function momentOf(day: string | null, plusMs: number): string | null {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? null : new Date(at + plusMs).toISOString();
}
