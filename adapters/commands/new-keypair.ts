import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { addressOf } from '@fan-api/solana-wire/base58';
import { publicKeyOfSeed, SEED_LENGTH } from '@fan-api/solana-wire/ed25519';
import { UsageError } from './flags.ts';
import { runCommand } from './run-command.ts';

/**
 * `npm run keypair -- FILE`: a new Solana keypair in the file format of the Solana CLI, for its owner's eyes only. Prints its address. An
 * existing file is left alone. Exit code 1: the file can't be written; 2: wrong command line.
 */
await runCommand(async () => {
  const [file, ...more] = process.argv.slice(2);
  if (file === undefined || file.startsWith('-') || more.length > 0)
    throw new UsageError('npm run keypair -- FILE   makes a new Solana keypair and prints its address');
  const seed = randomBytes(SEED_LENGTH);
  const publicKey = publicKeyOfSeed(seed);
  try {
    writeFileSync(file, `${JSON.stringify([...seed, ...publicKey])}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new Error(`${file} can't be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  process.stdout.write(`${addressOf(publicKey)}\n`);
  return 0;
});
