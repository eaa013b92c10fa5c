import { MessageChannel } from 'node:worker_threads';
import type { OpenChainPort } from '../src/chain-thread.ts';
import { serveChain } from '../src/serve-chain.ts';

/** Runs a chain beside its caller instead of in a thread: V8 can end a process where a thread ends beside others (nodejs/node#64500). */
export const inThisProcess: OpenChainPort = (setup) => {
  const { port1, port2 } = new MessageChannel();
  serveChain(port2, setup);
  return port1;
};
