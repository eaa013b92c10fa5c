import { fetchCluster } from '@fan-api/sdk';
import { sendToNetwork } from '../calls/send.ts';
import { showCall } from '../calls/show-call.ts';
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
  if (rpc_url === null) {
    throw new Error(
      'Nothing can be listed or sold: no test network is up, or SANDBOX_PUBLIC_RPC_URL does not name its node.',
    );
  }
  const [{ programId }, module] = await Promise.all([
    fetchCluster(api_url, 'sandbox', showCall),
    import('./ticket-program.ts'),
  ]);
  return { module, program: module.openTicketProgram(programId, rpc_url, sendToNetwork) };
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
