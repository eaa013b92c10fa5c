import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FilterSelect, ListToolbar, SearchField } from '../parts/list-toolbar.tsx';
import type { List } from '../parts/use-list.ts';

export const AUDIT_FILTERS = ['actor', 'action', 'subject', 'requestId', 'text', 'from', 'to'] as const;
const MORE = ['subject', 'requestId', 'from', 'to'] as const;
type Name = (typeof AUDIT_FILTERS)[number];
export type AuditFilters = Record<Name, string>;

const ACTORS = [
  { value: 'staff', label: 'By staff' },
  { value: 'client', label: 'By clients' },
  { value: 'fan', label: 'By fans' },
  { value: 'system', label: 'By the system' },
];

/** What begins the actions, before the point. */
const ACTIONS: [string, string][] = [
  ['client', 'Clients'],
  ['partner', 'Partners'],
  ['grant', 'Grants'],
  ['fan', 'Fans'],
  ['listing', 'Listings'],
  ['claim', 'Claims'],
  ['permit', 'Permits'],
  ['sandbox', 'Sandbox'],
  ['staff', 'Staff'],
  ['staff_token', 'Staff tokens'],
  ['kill_switch', 'Kill switches'],
  ['signing_key', 'Signing keys'],
  ['audit', 'The audit log itself'],
];

/** What narrows the audit log; all of it is in the address. */
export function AuditToolbar({ list }: { list: List<Name> }) {
  const { filters, filter } = list;
  const [isOpen] = useState(() => MORE.some((name) => filters[name] !== ''));
  const actors = withWhole(ACTORS, filters.actor);
  const actions = withWhole(
    ACTIONS.map(([value, label]) => ({ value, label })),
    filters.action,
  );
  return (
    <ListToolbar list={list}>
      <SearchField
        label="Search in the details"
        placeholder="A part of the details"
        value={filters.text}
        onChange={(text) => filter({ text })}
      />
      <FilterSelect label="Who" value={filters.actor} options={actors} onChange={(actor) => filter({ actor })} />
      <FilterSelect label="What" value={filters.action} options={actions} onChange={(action) => filter({ action })} />
      <details className="more-filters" open={isOpen}>
        <summary>More filters</summary>
        <Group gap="xs">
          <SearchField
            label="Done to"
            placeholder="Done to: an id"
            value={filters.subject}
            onChange={(subject) => filter({ subject })}
          />
          <SearchField
            label="Request id"
            placeholder="Request id"
            value={filters.requestId}
            onChange={(requestId) => filter({ requestId })}
          />
          <Day
            label="From"
            description="From this day on (UTC)"
            value={filters.from}
            onChange={(from) => filter({ from })}
          />
          <Day
            label="Until"
            description="Until this day, which counts too (UTC)"
            value={filters.to}
            onChange={(to) => filter({ to })}
          />
        </Group>
      </details>
    </ListToolbar>
  );
}

interface DayProps {
  label: string;
  /** In full, for those who hear it. */
  description: string;
  value: string;
  onChange: (day: string) => void;
}

function Day({ label, description, value, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      aria-label={description}
      leftSection={<span aria-hidden>{label}</span>}
      leftSectionWidth={58}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      className="day-field"
    />
  );
}

/** A link may name one actor or one action, which the list of kinds does not have. */
function withWhole(options: { value: string; label: string }[], value: string) {
  return value === '' || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];
}

const DAY_MS = 86_400_000;

/** The filters as the service takes them: only those that narrow, days as moments. */
export function wanted(filters: AuditFilters): Partial<AuditFilters> {
  const { from, to, ...texts } = filters;
  const moments = { from: momentOf(from, 0), to: momentOf(to, DAY_MS) };
  return Object.fromEntries(Object.entries({ ...texts, ...moments }).filter(([, value]) => value !== ''));
}

/** @param day `2026-11-21`; what is no day does not narrow */
function momentOf(day: string, plusMs: number): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? '' : new Date(at + plusMs).toISOString();
}
