import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { type Filter, FilterSelect, selectFilter, timeFilter } from '../parts/use-list.tsx';

const CHOICES = graphql(`
  query RequestChoices {
    requestOperations { name label }
    requestRefusals
  }
`);

/** The operations and error codes that occur; undefined until they are loaded. */
const useChoices = () => useView('request-choices', CHOICES, {}, { staleTime: 60_000 }).data;

const LATELY = [
  { value: '1h', label: 'Last hour', minutes: 60 },
  { value: '24h', label: 'Last 24 hours', minutes: 24 * 60 },
  { value: '7d', label: 'Last 7 days', minutes: 7 * 24 * 60 },
];

const CLASSES = { '2xx': 'Succeeded (2xx)', '3xx': 'Redirected (3xx)', '4xx': 'Refused (4xx)', '5xx': 'Failed (5xx)' };
const STATUSES = ['200', '302', '400', '401', '403', '404', '405', '409', '413', '415', '429', '500', '503'];

/** The filters of requests, by the parameter of the address. */
export const REQUEST_FILTERS = {
  outcome: (field) => <OutcomeSelect {...field} />,
  operation: (field) => <OperationSelect {...field} />,
  status: (field) => <StatusSelect {...field} />,
  last: selectFilter('Time', LATELY),
  from: timeFilter('datetime-local', 'From', 'From this time (UTC)'),
  to: timeFilter('datetime-local', 'Until', 'Until just before this time (UTC)'),
} satisfies Record<string, Filter>;

export const MORE_REQUEST_FILTERS = ['from', 'to'] as const;

export type RequestFilterValues = Readonly<Record<keyof typeof REQUEST_FILTERS, string | null>>;

/** The filters as the service's input. */
export function toRequestFilter({ outcome, operation, status, last, from, to }: RequestFilterValues) {
  const set = { outcome, operation, status, from: momentOf(from) ?? since(last), to: momentOf(to) };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== null)) as Record<string, string>;
}

/** By the minute, so that not every look is another query. */
function since(last: string | null): string | null {
  const minutes = LATELY.find(({ value }) => value === last)?.minutes;
  if (minutes === undefined) return null;
  return new Date((Math.floor(Date.now() / 60_000) - minutes) * 60_000).toISOString();
}

/** @param text `2026-11-21T18:05`, in UTC; anything else does not filter */
function momentOf(text: string | null): string | null {
  // other texts, "null" too, may be times for a browser
  if (text === null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const at = Date.parse(`${text}:00Z`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

type Field = Parameters<Filter>[0];

function OutcomeSelect(field: Field) {
  const codes = withChosen(
    useChoices()?.requestRefusals ?? [],
    ['', 'ok', 'failed'].includes(field.value) ? '' : field.value,
  );
  const groups = [
    { group: 'All', items: [OK, FAILED] },
    { group: 'Error codes', items: codes.map((code) => ({ value: code, label: code })) },
  ];
  return <Choose label="Outcome" groups={groups} {...field} />;
}

const OK = { value: 'ok', label: 'Succeeded' };
const FAILED = { value: 'failed', label: 'Refused or failed' };

function OperationSelect(field: Field) {
  const all = useChoices()?.requestOperations ?? [];
  const options = all.map(({ name, label }) => ({ value: name, label }));
  const isGroup = ({ value }: { value: string }) => !value.includes('.') && value !== 'other';
  const groups = [
    { group: 'Groups', items: options.filter(isGroup) },
    { group: 'Operations', items: options.filter((option) => !isGroup(option)) },
  ];
  return <Choose label="Operation" groups={groups} {...field} />;
}

function StatusSelect(field: Field) {
  const numbers = withChosen(STATUSES, field.value in CLASSES ? '' : field.value);
  const groups = [
    { group: 'Status classes', items: Object.entries(CLASSES).map(([value, label]) => ({ value, label })) },
    { group: 'Statuses', items: numbers.map((status) => ({ value: status, label: status })) },
  ];
  return <Choose label="Status" groups={groups} {...field} />;
}

/** With a value that only a link has set. */
function withChosen(values: readonly string[], chosen: string): string[] {
  return chosen === '' || values.includes(chosen) ? [...values] : [chosen, ...values];
}

interface ChooseProps extends Field {
  label: string;
  groups: { group: string; items: { value: string; label: string }[] }[];
}

function Choose({ groups, ...field }: ChooseProps) {
  const data = groups.filter(({ items }) => items.length > 0);
  return <FilterSelect data={data} searchable nothingFoundMessage="Nothing matches." {...field} />;
}
