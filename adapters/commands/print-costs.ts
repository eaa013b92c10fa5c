import { inSol } from '../../src/chain/cluster/setup-error.ts';
import type { DayCost } from '../../src/inventory/issuing/read-costs.ts';

const HEADINGS = [
  'day (UTC)',
  'events',
  'permits',
  'transactions',
  'lost',
  'fees',
  'rent',
  'SOL',
  'lamports per permit',
];

/** The report of costs as a table, newest day first; fees and rent of permits are in lamports. */
export function printCosts(days: readonly DayCost[]): string {
  if (days.length === 0) return 'Nothing was put onto the chain yet.\n';
  const rows = days.map(({ day, events, eventCost, permits, transactions, lost, fees, rent, perPermit }) =>
    [day, events, permits, transactions, lost, fees, rent, inSol(fees + rent + eventCost), perPermit ?? '-'].map(
      String,
    ),
  );
  const table = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '));
  return `${lines.join('\n')}\n`;
}
