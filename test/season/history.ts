import type { ImportedFile } from './box-office.ts';
import type { ChainPermit, ChainTransfer } from './chain-reader.ts';
import type { GateRecord } from './gate-memory.ts';
import type { PartnerLedger } from './partner.ts';
import type { PlannedTicket } from './plan.ts';

/** A scan at the doors, and what the chain said meanwhile. */
export interface Scan {
  ticket: string;
  /** Of the person who showed a barcode of their own. */
  phone: string;
  /** Every owner of the permit that the judge read from before the scan until after its answer. */
  owners: readonly string[];
  entered: boolean;
  reason?: string | undefined;
  /** By the gate, in milliseconds since the epoch. */
  decidedAt: number;
}

/** All that the judge goes by: what was planned, what partners and gate wrote down, and the chain as the judge read it. */
export interface SeasonHistory {
  tickets: readonly PlannedTicket[];
  /** The permit of each ticket that partners have seen. */
  permits: ReadonlyMap<string, string>;
  ledger: Pick<PartnerLedger, 'claims' | 'listings' | 'phones'>;
  transfers: readonly ChainTransfer[];
  /** At the end. */
  onchain: ReadonlyMap<string, ChainPermit>;
  scans: readonly Scan[];
  records: readonly GateRecord[];
  imported: readonly ImportedFile[];
  /** When `onchain` was read. */
  endedAt: number;
}
