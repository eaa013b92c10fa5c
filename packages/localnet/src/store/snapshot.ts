import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './replace-file.ts';
import type { ClosedAccount, StoredAccount } from './stored-account.ts';

/** The accounts that transactions have written, with the effects of the journal up to `offset` bytes in `segment`. */
export interface Snapshot {
  version: 1;
  segment: number;
  offset: number;
  slot: number;
  accounts: StoredAccount[];
  /** How many transactions had landed. */
  transactionCount?: number;
  /** What accounts held before `slot` changed them, for the slots that were not final yet; oldest first. */
  earlier?: { slot: number; account: StoredAccount | ClosedAccount }[];
}

export function writeSnapshot(folder: string, snapshot: Snapshot): void {
  replaceFile(join(folder, 'snapshot.json'), JSON.stringify(snapshot));
}

/** @returns undefined when none has been written yet. @throws when the file is damaged or of another version. */
export function readSnapshot(folder: string): Snapshot | undefined {
  const path = join(folder, 'snapshot.json');
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const snapshot = parse(text, path);
  if (snapshot.version !== 1)
    throw new Error(`${path} is of version ${snapshot.version}, this program reads version 1`);
  return snapshot;
}

function parse(text: string, path: string): Snapshot {
  try {
    return JSON.parse(text) as Snapshot;
  } catch (cause) {
    throw new Error(`${path} is damaged; without it the chain in this folder cannot be restored`, { cause });
  }
}

/** @returns undefined when there is no such file. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
