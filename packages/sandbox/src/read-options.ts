import { parseArgs } from 'node:util';
import { redirectUriFault } from '../../../src/partners/redirect-uri.ts';
import { SCOPES_IN_USE, type Scope } from '../../../src/partners/scopes.ts';
import type { SandboxOptions, SandboxPlace } from './command-words.ts';

/** An option that can't be used; the message says which, and what is wrong. */
export class OptionError extends Error {}

export const USAGE = `fan-api-sandbox [options]
  --json                one line of JSON instead of this screen; ends when standard input is a pipe and closes
  --seed 7              the same identifiers, phone numbers, codes, wallets and tickets each time
  --users 5             how many test users (1 to 50; usually 2)
  --tickets 20          how many tickets each of them holds (0 to 100)
  --redirect-uri URI    of the client; may be repeated
  --scopes "openid …"   of the client
  --port 4100           of the service; the next three are for the network and the control (usually free ones)
  --host fan-api        the name by which other machines reach it; it then listens on all interfaces
`;

/** Reads the words of the command. @throws OptionError */
export function readOptions(
  words: string[],
): SandboxOptions & SandboxPlace & { json: boolean; help: boolean; scopes?: Scope[] } {
  const { values } = parse(words);
  return {
    json: values.json,
    help: values.help,
    seed: wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1),
    users: wholeNumber('--users', values.users, 1, 50),
    tickets: wholeNumber('--tickets', values.tickets, 0, 100),
    redirectUris: readRedirectUris(values['redirect-uri']),
    port: wholeNumber('--port', values.port, 1, 65_532),
    host: readHost(values.host),
    ...(values.scopes !== undefined && { scopes: readScopes(values.scopes) }),
  };
}

function parse(words: string[]) {
  try {
    return parseArgs({
      args: words,
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        seed: { type: 'string' },
        users: { type: 'string' },
        tickets: { type: 'string' },
        'redirect-uri': { type: 'string', multiple: true },
        scopes: { type: 'string' },
        port: { type: 'string' },
        host: { type: 'string' },
      },
    });
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(flag: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d{1,10}$/.test(text) && number >= least && number <= most) return number;
  throw new OptionError(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`);
}

function readRedirectUris(uris: string[] | undefined): string[] | undefined {
  for (const uri of uris ?? []) {
    const fault = redirectUriFault(uri, 'sandbox');
    if (fault !== undefined) throw new OptionError(`--redirect-uri ${uri} ${fault}.`);
  }
  return uris && [...new Set(uris)];
}

function readHost(host: string | undefined): string | undefined {
  if (host === undefined || URL.parse(`http://${host}`)?.hostname === host) return host;
  throw new OptionError(`--host must be a name in lower case or an address, without a port, not "${host}".`);
}

function readScopes(text: string): Scope[] {
  const named = [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))];
  const scopes = SCOPES_IN_USE.filter((scope) => named.includes(scope));
  const unknown = named.find((name) => !scopes.some((scope) => scope === name));
  if (unknown !== undefined)
    throw new OptionError(`--scopes: there is no scope "${unknown}"; there are ${SCOPES_IN_USE.join(', ')}.`);
  if (!scopes.includes('openid')) throw new OptionError('--scopes must contain openid.');
  return scopes;
}
