import { existsSync, readFileSync } from 'node:fs';
import { decodeAddress } from '@fan-api/solana-wire/base58';
import { type OutsideSigner, readKeypairFile } from '../../src/chain/cluster/keypair-file.ts';
import { MODES, type Mode } from '../../src/platform/mode.ts';
import { readWords, UsageError } from './flags.ts';

export const CHAIN_COMMANDS = ['status', 'keys', 'costs', 'deploy', 'initialize', 'rotate', 'retire'] as const;
export type ChainCommand = (typeof CHAIN_COMMANDS)[number];
/** Commands that sign nothing. */
const READING: ReadonlySet<ChainCommand> = new Set(['status', 'keys', 'costs']);

export const USAGE = `npm run chain -- <command> --mode sandbox|production [options]

  status       what is there, what is missing, and how to fix it; exit code 1 while something is missing
  keys         the public keys of this service: authority and payer
  costs        what events and permits cost, day by day (--days N, 30 unless given)
  deploy       deploys the ticket program, or upgrades it
  initialize   creates its configuration, with our authority and payer
  rotate       replaces our authority by a new key; pending listings can finish with either key; names our payer where it is another
  retire       after a rotation, once no listing is pending: ends the rights of the previous authority and deletes its key

The payer of this service pays for all of it. deploy and initialize need the signature of the program's upgrade authority, rotate
and retire that of its admin (the same key until one of the roles is handed over):

  --keypair FILE           signs with a keypair file of the Solana CLI
  --unsigned ADDRESS       prints the transaction in base64, for ADDRESS to sign elsewhere
  --signed FILE|BASE64     sends that transaction, once it is signed
  --program-keypair FILE   deploy: the keypair of the program's address, for the first deployment
  --at-once                rotate: retires the previous authority in the same transaction, if others may have its key
`;

export interface ChainFlags {
  command: ChainCommand;
  mode: Mode;
  /** Signs as the admin. */
  admin: OutsideSigner | undefined;
  program: OutsideSigner | undefined;
  /** Whether a rotation retires the previous authority immediately. */
  atOnce: boolean;
  /** A signed transaction in base64. */
  signed: string | undefined;
  /** Length of the cost report. */
  days: number;
}

const OPTIONS = {
  mode: { type: 'string' },
  keypair: { type: 'string' },
  unsigned: { type: 'string' },
  signed: { type: 'string' },
  'program-keypair': { type: 'string' },
  'at-once': { type: 'boolean' },
  days: { type: 'string' },
} as const;

/** @throws UsageError naming the flag @throws SetupError for a bad keypair file */
export function readChainFlags(words: readonly string[]): ChainFlags {
  const { values, positionals } = readWords(words, OPTIONS, 1);
  const [name = ''] = positionals;
  const command = CHAIN_COMMANDS.find((known) => known === name);
  if (!command) throw new UsageError(`${name}: there is no such command\n\n${USAGE}`);
  const mode = MODES.find((known) => known === values.mode);
  if (!mode) throw new UsageError(`--mode: must be ${MODES.join(' or ')}`);
  const signing = [values.keypair, values.unsigned, values.signed].filter((value) => value !== undefined);
  const needsAdmin = !READING.has(command);
  if (needsAdmin && signing.length !== 1) {
    throw new UsageError(`${command}: needs one of --keypair FILE, --unsigned ADDRESS and --signed FILE|BASE64`);
  }
  if (!needsAdmin && signing.length > 0) throw new UsageError(`${command}: signs nothing`);
  if (values['at-once'] && command !== 'rotate') throw new UsageError('--at-once: is for rotate');
  return {
    command,
    mode,
    admin: adminOf(values),
    atOnce: values['at-once'] ?? false,
    program: values['program-keypair'] === undefined ? undefined : readKeypairFile(values['program-keypair']),
    signed: values.signed === undefined ? undefined : textOf(values.signed),
    days: daysOf(values.days),
  };
}

function daysOf(text = '30'): number {
  const days = Number(text);
  if (!/^\d{1,3}$/.test(text) || days < 1 || days > 366) throw new UsageError('--days: must be 1 to 366');
  return days;
}

function adminOf({ keypair, unsigned }: { keypair?: string; unsigned?: string }): OutsideSigner | undefined {
  if (keypair !== undefined) return readKeypairFile(keypair);
  if (unsigned === undefined) return undefined;
  if (decodeAddress(unsigned) === undefined)
    throw new UsageError('--unsigned: must be the address of the key that signs');
  return { address: unsigned };
}

function textOf(signed: string): string {
  return existsSync(signed) ? readFileSync(signed, 'utf8') : signed;
}
