import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import bs58 from 'bs58';
import type { Genesis } from '../slot-clock.ts';
import { replaceFile } from './replace-file.ts';
import { readIfThere } from './snapshot.ts';

/**
 * The identity of the chain in `folder`, made on its first start. It keeps its genesis hash for life, so that a start-up
 * check can tell one network from another.
 */
export function openGenesis(folder: string, slotDuration: number): Genesis {
  const path = join(folder, 'genesis.json');
  const text = readIfThere(path);
  if (text !== undefined) return JSON.parse(text) as Genesis;
  const genesis: Genesis = {
    genesisHash: bs58.encode(randomBytes(32)),
    startedAt: Date.now(),
    slotDuration,
    seed: randomBytes(32).toString('base64'),
  };
  replaceFile(path, JSON.stringify(genesis));
  return genesis;
}
