import { type Connection, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';

/** As `GET /tickets` gives it. */
export interface Ticket {
  tix_event_id: string;
  tix_ticket_id: string;
}

const CONFIG = Buffer.from('config');
const PERMIT = Buffer.from('permit');

/** Addresses follow from the ticket by computation; nothing is asked. */
export function permitOf(programId: PublicKey, ticket: Ticket): PublicKey {
  const event = new PublicKey(ticket.tix_event_id);
  const seeds = [PERMIT, event.toBytes(), bs58.decode(ticket.tix_ticket_id)];
  return PublicKey.findProgramAddressSync(seeds, programId)[0];
}

export function configOf(programId: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync([CONFIG], programId)[0];
}

/** Who co-signs listings. Read it now and then: it may be rotated. */
export async function readAuthority(connection: Connection, programId: PublicKey): Promise<PublicKey> {
  const data = await readData(connection, configOf(programId));
  return new PublicKey(data.subarray(9, 41));
}

/** The listing that a transfer fulfils: its number and its price. */
export interface Sale {
  listing: bigint;
  lamports: bigint;
}

/** What the chain says of a permit: the truth, also where the API has not caught up with it. */
export async function readPermit(connection: Connection, permit: PublicKey) {
  const data = await readData(connection, permit);
  return {
    owner: new PublicKey(data.subarray(73, 105)),
    listed: data.readUInt8(105) === 1,
    marketplace: new PublicKey(data.subarray(106, 138)),
    lamports: data.readBigUInt64LE(138),
    listing: data.readBigUInt64LE(146),
  };
}

async function readData(connection: Connection, address: PublicKey): Promise<Buffer> {
  const account = await connection.getAccountInfo(address, 'confirmed');
  if (account === null) throw new Error(`there is no account ${address.toBase58()}`);
  return account.data;
}
