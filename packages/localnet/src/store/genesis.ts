import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isLocalGenesisHash, newGenesisHash } from '@fan-api/solana-wire/local-network';
import { z } from 'zod';
import type { Genesis } from '../slot-clock.ts';
import { replaceFile } from './replace-file.ts';
import { readIfThere } from './snapshot.ts';

const StoredGenesis = z.object({
  genesisHash: z.string(),
  startedAt: z.number(),
  slotDuration: z.number().positive(),
  seed: z.string(),
});

/**
 * The identity of the chain in `folder`, created at its first start. Its genesis hash never changes, so that a start-up check
 * can distinguish networks. A folder from before genesis hashes marked local networks gets a marked one once.
 */
export function openGenesis(folder: string, slotDuration: number): Genesis {
  const path = join(folder, 'genesis.json');
  const text = readIfThere(path);
  const known = text === undefined ? undefined : StoredGenesis.parse(JSON.parse(text));
  if (known && isLocalGenesisHash(known.genesisHash)) return known;
  const genesis: Genesis = known
    ? { ...known, genesisHash: newGenesisHash() }
    : {
        genesisHash: newGenesisHash(),
        startedAt: Date.now(),
        slotDuration,
        seed: randomBytes(32).toString('base64'),
      };
  replaceFile(path, JSON.stringify(genesis));
  return genesis;
}
