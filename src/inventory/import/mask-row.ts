import { maskPhone } from '../../platform/phone-number.ts';
import { CSV_COLUMNS } from './csv-reader.ts';

const PHONE = 'holder_phone';
const HIDDEN = '…';

/**
 * A row that failed, for those who may not see phone numbers: neither the holder's, nor what stands in members that no row has. A
 * line that is no row is null: a number may be anywhere in it.
 */
export function maskRow(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return null;
  const masked = Object.entries(row).map(([name, value]) => [
    name,
    name === PHONE ? maskNumber(value) : CSV_COLUMNS.includes(name) ? value : HIDDEN,
  ]);
  return Object.fromEntries(masked);
}

function maskNumber(value: unknown): string {
  return typeof value === 'string' && /^\+\d{6,15}$/.test(value) ? maskPhone(value) : HIDDEN;
}
