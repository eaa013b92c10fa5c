import {
  type FanApi,
  fetchCluster,
  openAuthServer,
  openFanApi,
  openSession,
  type Session,
  type Ticket,
} from '@fan-api/sdk';
import { fileTokenStore } from '@fan-api/sdk/node';
import { openTicketProgram, type Sale, transactionHex } from '@fan-api/sdk/web3';
import { Connection, type Keypair } from '@solana/web3.js';

export interface Settings {
  issuer: string;
  apiUrl: string;
  clientId: string;
  redirectUri: string;
  /** Where this machine keeps tokens. */
  folder: string;
}

/** Once for a process. */
export function openPartner({ issuer, apiUrl, clientId, redirectUri, folder }: Settings) {
  const authServer = openAuthServer({ issuer, clientId, redirectUri });
  const store = fileTokenStore(folder);
  const sessions = new Map<string, Session>();
  function sessionOf(userId: string): Session {
    const session = sessions.get(userId) ?? openSession({ authServer, store, key: userId });
    sessions.set(userId, session);
    return session;
  }
  const fanApiOf = (userId: string) => openFanApi({ apiUrl, session: sessionOf(userId) });
  return { authServer, sessionOf, fanApiOf };
}

/** Lists a ticket: build, have it signed, submit. @returns number and price of the listing, to keep for its sale */
export async function listWithSdk(
  api: FanApi,
  connection: Connection,
  programId: string,
  offer: { ticket: Ticket; wallet: Keypair; lamports: bigint },
): Promise<Sale> {
  const { ticket, wallet, lamports } = offer;
  const program = openTicketProgram(connection, programId);
  const instruction = await program.createListing(ticket, { marketplace: wallet.publicKey, lamports });
  const [signed = ''] = await api.authorize('list', [transactionHex(await program.prepare(instruction, [wallet]))]);
  await program.submit(signed);
  const { listing } = await program.readPermit(ticket);
  return { listing, lamports };
}

/** Sells a listed ticket: the service submits the transfer. @param buyer the Fan API for the fan who bought it */
export async function sellWithSdk(
  buyer: FanApi,
  connection: Connection,
  programId: string,
  { ticket, wallet, listing, lamports }: Sale & { ticket: Ticket; wallet: Keypair },
) {
  const program = openTicketProgram(connection, programId);
  const destination = await buyer.wallet();
  const marketplace = wallet.publicKey;
  const transfer = program.transferPermit(ticket, { listing, lamports, marketplace, destination });
  return buyer.claim([transactionHex(await program.prepare(transfer, [wallet]))]);
}

/** Where the sandbox's ticket program is. */
export async function openSandbox(apiUrl: string) {
  const { programId, rpcUrl } = await fetchCluster(apiUrl, 'sandbox');
  if (rpcUrl === undefined) throw new Error('the sandbox names no RPC address: use a node of your own');
  return { programId, connection: new Connection(rpcUrl, 'confirmed') };
}
