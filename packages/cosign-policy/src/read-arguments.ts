import { parseArgs } from 'node:util';
import { decodeAddress } from '@fan-api/solana-wire/base58';
import { ACTIONS, type PolicyAction } from './actions.ts';

/** The command was not called as it should be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Arguments {
  readonly help: boolean;
  readonly version: boolean;
  readonly json: boolean;
  readonly action: PolicyAction;
  readonly program: string | undefined;
  readonly origin: string | undefined;
  readonly mode: 'sandbox' | 'production';
  readonly rpc: string | undefined;
  readonly wallet: string | undefined;
  readonly authorities: readonly string[] | undefined;
  readonly files: readonly string[];
  readonly texts: readonly string[];
}

export const USAGE = `Usage: cosign-policy --type list|cancel|claim (--origin URL | --program ADDRESS) [options] [TRANSACTION...]

Judges the transactions of one request by the co-signing policy of the Fan API. A transaction is
hex, base64 or base58; it is an argument, a line of a file, or a line of the standard input.

  --type TYPE          what the transactions are for: list, cancel or claim
  --origin URL         the Fan API: its program, its node and its policy's version are read from there
  --mode MODE          sandbox (the default) or production, with --origin
  --program ADDRESS    the ticket program, in place of --origin
  --rpc URL            a node of the cluster, to judge by the chain as well
  --wallet ADDRESS     the wallet of the fan
  --authority ADDRESS  the co-signing authority; may be repeated; with a node it is read from the chain
  --file PATH          reads transactions from a file; may be repeated
  --json               prints JSON
  --version            prints the version of the policy
  --help               prints this text

Exit code: 0 accepted as far as it can be checked here, 1 refused, 2 wrong usage or no answer from a URL.
`;

/** @param given the arguments after the command @throws UsageError */
export function readArguments(given: readonly string[]): Arguments {
  const { values, positionals } = parse(given);
  const help = values.help === true;
  const version = values.version === true;
  const action = values.type;
  if (!help && !version) {
    if (!isAction(action)) throw new UsageError('--type must be list, cancel or claim');
    if ((values.program === undefined) === (values.origin === undefined)) {
      throw new UsageError('give either --origin or --program');
    }
  }
  const mode = values.mode ?? 'sandbox';
  if (mode !== 'sandbox' && mode !== 'production') throw new UsageError('--mode must be sandbox or production');
  for (const [name, address] of [
    ['program', values.program],
    ['wallet', values.wallet],
    ...(values.authority ?? []).map((each) => ['authority', each] as const),
  ] as const) {
    if (address !== undefined && decodeAddress(address) === undefined) {
      throw new UsageError(`--${name} must be an address: 32 bytes in base58`);
    }
  }
  for (const name of ['origin', 'rpc'] as const) {
    const url = values[name];
    if (url !== undefined && !/^https?:$/.test(protocolOf(url)))
      throw new UsageError(`--${name} must be an http(s) URL`);
  }
  return {
    help,
    version,
    json: values.json === true,
    action: isAction(action) ? action : 'list',
    program: values.program,
    origin: values.origin,
    mode,
    rpc: values.rpc,
    wallet: values.wallet,
    authorities: values.authority,
    files: values.file ?? [],
    texts: positionals,
  };
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        type: { type: 'string' },
        origin: { type: 'string' },
        mode: { type: 'string' },
        program: { type: 'string' },
        rpc: { type: 'string' },
        wallet: { type: 'string' },
        authority: { type: 'string', multiple: true },
        file: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function isAction(text: string | undefined): text is PolicyAction {
  return text !== undefined && Object.hasOwn(ACTIONS, text);
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}
