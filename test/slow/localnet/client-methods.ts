import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** RPC and subscription methods that client libraries can call, read from the libraries themselves. */
export interface ClientMethods {
  readonly calls: ReadonlySet<string>;
  readonly subscriptions: ReadonlySet<string>;
}

const resolve = createRequire(import.meta.url).resolve;

/** What `@solana/web3.js` sends. Anchor has no RPC of its own: it calls a `Connection` of web3.js. */
export function web3Methods(): ClientMethods {
  const code = readFileSync(resolve('@solana/web3.js'), 'utf8');
  const sent = [...code.matchAll(/(?:_rpcRequest\(\s*|methodName: )['"](\w+)['"]/g)];
  const subscribed = [...code.matchAll(/['"]([a-zA-Z]+Subscribe)['"]/g)];
  return { calls: names(sent), subscriptions: names(subscribed) };
}

/** What `@solana/kit` declares: one type for each method, and one for each kind of notification. */
export function kitMethods(): ClientMethods {
  const fromKit = createRequire(resolve('@solana/kit')).resolve;
  const calls = typesIn(
    dirname(fromKit('@solana/rpc-api')),
    /^\s+((?:get|is|send|simulate|request|minimum)[A-Z]\w*)[<(]/gm,
  );
  const notified = typesIn(dirname(fromKit('@solana/rpc-subscriptions-api')), /^\s+([a-zA-Z]+)Notifications[<(]/gm);
  return { calls, subscriptions: new Set([...notified].map((name) => `${name}Subscribe`)) };
}

function typesIn(dist: string, pattern: RegExp): Set<string> {
  const folder = join(dist, 'types');
  const files = readdirSync(folder).filter((name) => name.endsWith('.d.ts'));
  return names(files.flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(pattern)]));
}

function names(matches: readonly RegExpMatchArray[]): Set<string> {
  return new Set(matches.flatMap(([, name]) => name ?? []));
}
