import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainReader } from './chain-reader.ts';
import { barcodeOf } from './decide-entry.ts';
import type { GateTicket, ScanAnswer, ScanRequest } from './gate.ts';
import type { Scan } from './history.ts';

/** Where fans show their barcodes. */
export interface Doors {
  scans: Scan[];
  /** A fan shows a barcode of their own, until the gate has answered. */
  scan(ticket: string, permit: string, phone: string): Promise<Scan>;
  /** A holder comes back until the gate knows of the purchase. */
  enter(ticket: string, permit: string, phone: string): Promise<Scan>;
  /** All tickets as the gate knows them. */
  tickets(): Promise<Map<string, GateTicket>>;
}

const PAUSE_MS = 200;
const AGAIN_MS = 500;
const ENTER_WITHIN_MS = 120_000;

export function openDoors(gateUrl: string, chain: Pick<ChainReader, 'ownerOf'>): Doors {
  const scans: Scan[] = [];

  /** The gate may be dead at the moment. */
  async function ask<T>(path: string, begin: () => Promise<RequestInit>): Promise<T> {
    for (;;) {
      const init = await begin();
      try {
        return (await (await fetch(`${gateUrl}${path}`, init)).json()) as T;
      } catch {
        await sleep(PAUSE_MS);
      }
    }
  }

  const doors: Doors = {
    scans,
    async scan(ticket, permit, phone) {
      const request: ScanRequest = { scan: randomUUID(), ticket, barcode: barcodeOf(ticket, phone) };
      const owners = new Set<string>();
      const answer = await ask<ScanAnswer>('/scan', async () => {
        owners.add(await chain.ownerOf(permit));
        return { method: 'POST', body: JSON.stringify(request) };
      });
      owners.add(await chain.ownerOf(permit));
      const { entered, reason, at: decidedAt } = answer;
      const scan = { ticket, phone, owners: [...owners], entered, reason, decidedAt };
      scans.push(scan);
      return scan;
    },
    async enter(ticket, permit, phone) {
      for (const end = Date.now() + ENTER_WITHIN_MS; ; await sleep(AGAIN_MS)) {
        const scan = await doors.scan(ticket, permit, phone);
        if (scan.entered || scan.reason === 'used' || Date.now() > end) return scan;
      }
    },
    async tickets() {
      const known = await ask<GateTicket[]>('/tickets', async () => ({}));
      return new Map(known.map((line) => [line.ticket, line]));
    },
  };
  return doors;
}
