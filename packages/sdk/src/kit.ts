/**
 * Ticket transactions with `@solana/kit`: list, cancel, transfer. As in `web3.ts`, with kit's types.
 *
 * @module
 */
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstruction,
  type Base64EncodedWireTransaction,
  createTransactionMessage,
  type GetAccountInfoApi,
  type GetLatestBlockhashApi,
  type GetSignatureStatusesApi,
  getAddressDecoder,
  getAddressEncoder,
  getBase64Decoder,
  getBase64Encoder,
  getProgramDerivedAddress,
  getTransactionEncoder,
  type Instruction,
  partiallySignTransactionMessageWithSigners,
  pipe,
  type Rpc,
  type SendTransactionApi,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  type TransactionSigner,
} from '@solana/kit';
import { MissingAccountError, untilOnchain } from './missing-account.ts';
import {
  type AccountSlot,
  accountsOf,
  decodeAuthority,
  decodePermit,
  fromHex,
  type InstructionName,
  instructionData,
  type OnchainTicket,
  type Permit,
  type Sale,
  SEEDS,
  toHex,
  untilConfirmed,
} from './ticket-accounts.ts';

export { fromHex, type OnchainTicket, type Permit, type Sale, toHex } from './ticket-accounts.ts';

/** What is asked of a node. `createSolanaRpc(url)` is one. */
export type TicketRpc = Rpc<GetAccountInfoApi & GetLatestBlockhashApi & GetSignatureStatusesApi & SendTransactionApi>;

/** The ticket program on a cluster. Accounts are read at `confirmed`. */
export interface TicketProgram {
  readonly programId: Address;
  permitAddress(ticket: OnchainTicket): Promise<Address>;
  /** @throws Error where the ticket has no permit on this cluster */
  readPermit(ticket: OnchainTicket): Promise<Permit>;
  /** Puts a held ticket on sale: `type` `list` of `POST /authorizations`. From then on only `marketplace` can transfer it. */
  createListing(ticket: OnchainTicket, terms: { marketplace: string; lamports: bigint }): Promise<Instruction>;
  /** Takes it off the market: `type` `cancel` of `POST /authorizations`. */
  cancelListing(ticket: OnchainTicket): Promise<Instruction>;
  /** Moves a listed ticket, for `POST /claims/execute`. @param destination the buyer's wallet, of `GET /wallet` */
  transferPermit(
    ticket: OnchainTicket,
    sale: Sale & { marketplace: TransactionSigner; destination: string },
  ): Promise<Instruction>;
  /** A transaction in hex, with a fresh blockhash and the signatures of the payer and of the instruction's signers. Others sign later. */
  prepare(instruction: Instruction, feePayer: TransactionSigner): Promise<string>;
  /** Submits a fully signed transaction, in hex, and waits until it is confirmed. @returns its signature, in base58 */
  submit(hex: string, signal?: AbortSignal): Promise<string>;
}

/** @param rpc to a node of the cluster that `programId` is on */
export async function openTicketProgram(rpc: TicketRpc, program: string): Promise<TicketProgram> {
  const programId = address(program);
  const derived = async (seeds: readonly Uint8Array[]) =>
    (await getProgramDerivedAddress({ programAddress: programId, seeds: [...seeds] }))[0];
  const config = await derived([SEEDS.config]);
  const bytesOf = (text: string) => new Uint8Array(getAddressEncoder().encode(address(text)));
  const addressOf = (bytes: Uint8Array) => getAddressDecoder().decode(bytes);
  // an id of 32 bytes, in base58 as an address is
  const permitAddress = ({ tix_event_id, tix_ticket_id }: OnchainTicket) =>
    derived([SEEDS.permit, bytesOf(tix_event_id), bytesOf(tix_ticket_id)]);

  async function read(account: Address): Promise<Uint8Array> {
    const { value } = await rpc.getAccountInfo(account, { encoding: 'base64', commitment: 'confirmed' }).send();
    if (value === null || value.owner !== programId) {
      throw new MissingAccountError(account);
    }
    return new Uint8Array(getBase64Encoder().encode(value.data[0]));
  }

  async function readPermit(ticket: OnchainTicket): Promise<Permit> {
    const permit = await permitAddress(ticket);
    return decodePermit(permit, await read(permit), addressOf);
  }

  /** @param signer of an account that the caller signs for */
  function instruction(
    name: InstructionName,
    accounts: Record<string, string>,
    numbers: readonly bigint[],
    signer?: TransactionSigner,
  ): Instruction {
    const slots = accountsOf<string>(name, { config, ...accounts });
    return {
      programAddress: programId,
      accounts: slots.map((slot) => ({
        address: address(slot.address),
        role: roleOf(slot),
        ...(slot.signer && slot.address === signer?.address && { signer }),
      })),
      data: instructionData(name, numbers),
    };
  }

  /** The owner, and the present authority, which may be rotated. */
  async function parties(ticket: OnchainTicket) {
    const [permit, data] = await Promise.all([untilOnchain(() => readPermit(ticket)), read(config)]);
    return { permit: permit.address, owner: permit.owner, authority: addressOf(decodeAuthority(data)) };
  }

  return {
    programId,
    permitAddress,
    readPermit,
    async createListing(ticket, { marketplace, lamports }) {
      return instruction('create_listing_v1', { ...(await parties(ticket)), marketplace }, [lamports]);
    },
    async cancelListing(ticket) {
      return instruction('cancel_listing_v1', await parties(ticket), []);
    },
    async transferPermit(ticket, { listing, lamports, marketplace, destination }) {
      const accounts = {
        permit: await permitAddress(ticket),
        transfer_authority: marketplace.address,
        destination,
      };
      return instruction('transfer_permit_v1', accounts, [listing, lamports], marketplace);
    },
    async prepare(instruction, feePayer) {
      const { value } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (empty) => setTransactionMessageFeePayerSigner(feePayer, empty),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(value, paid),
        (living) => appendTransactionMessageInstruction(instruction, living),
      );
      const transaction = await partiallySignTransactionMessageWithSigners(message);
      return toHex(new Uint8Array(getTransactionEncoder().encode(transaction)));
    },
    async submit(hex, signal) {
      const wire = getBase64Decoder().decode(fromHex(hex)) as Base64EncodedWireTransaction;
      const options = { encoding: 'base64', preflightCommitment: 'confirmed' } as const;
      const signature = await rpc.sendTransaction(wire, options).send();
      const ask = async () => (await rpc.getSignatureStatuses([signature]).send()).value[0];
      await untilConfirmed(signature, ask, signal);
      return signature;
    },
  };
}

function roleOf({ signer, writable }: AccountSlot<string>): AccountRole {
  if (signer) return writable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return writable ? AccountRole.WRITABLE : AccountRole.READONLY;
}
