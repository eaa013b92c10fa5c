import { createHmac } from 'node:crypto';
import type { FeedLine } from './gate-memory.ts';

/** The company's own key. */
const BARCODE_KEY = 'the barcodes of a season';

/** What a holder shows at the doors. Another holder has another barcode, so a sale ends the seller's. */
export function barcodeOf(ticket: string, phone: string): string {
  return createHmac('sha256', BARCODE_KEY).update(`${ticket} ${phone}`).digest('hex').slice(0, 16);
}

/** The number of the holder whom a line names. */
export function phoneOf({ holder }: Pick<FeedLine, 'holder'>): string | undefined {
  return holder !== null && 'phone' in holder ? (holder.phone ?? undefined) : undefined;
}

/**
 * Whether a barcode may enter by what the gate knows.
 * @param line the ticket, if it is known @param used whether somebody has entered on it
 * @returns why not
 */
export function refusalOf(line: FeedLine | undefined, used: boolean, barcode: string): string | undefined {
  if (line === undefined) return 'unknown ticket';
  const phone = phoneOf(line);
  if (phone === undefined || barcodeOf(line.ticket, phone) !== barcode) return 'not the holder';
  if (used) return 'used';
  return line.status === 'valid' ? undefined : line.status;
}
