import { jsonOf } from '../calls/call.ts';
import { send, sendToNetwork } from '../calls/send.ts';
import type { PlaygroundConfig } from '../config.ts';
import { change, currentState } from '../state.ts';
import type { TicketProgram } from './ticket-program.ts';

type ProgramModule = typeof import('./ticket-program.ts');

export interface Network {
  program: TicketProgram;
  module: ProgramModule;
}

let opened: Promise<Network> | undefined;

/** The test network with its ticket program, opened once. @throws Error where there is none */
export function openNetwork(config: PlaygroundConfig): Promise<Network> {
  opened ??= open(config).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function open({ api_url, rpc_url }: PlaygroundConfig): Promise<Network> {
  if (rpc_url === null) throw new Error('No test network is up, so nothing can be listed or sold.');
  const url = new URL('/idl.json', api_url).href;
  const [{ answer }, module] = await Promise.all([
    send('IDL of the ticket program', { method: 'GET', url, headers: {} }),
    import('./ticket-program.ts'),
  ]);
  const idl = jsonOf(answer);
  if (answer.status !== 200 || idl === undefined) throw new Error(`${url} answered ${answer.status}.`);
  return { module, program: await module.openTicketProgram(idl as never, rpc_url, sendToNetwork) };
}

/** The partner's wallet, made and funded when it is first needed. */
export async function openFundedWallet({ program, module }: Network) {
  const { sale } = currentState();
  const wallet = sale.wallet ?? { ...module.newWallet(), lamports: 0 };
  const keypair = module.openWallet(wallet.secret);
  const lamports = await program.fund(keypair);
  change({ sale: { ...currentState().sale, wallet: { ...wallet, lamports } } });
  return keypair;
}
