import {
  type FanApi,
  FanApiError,
  NoAnswerError,
  openAuthServer,
  openFanApi,
  SignInRequiredError,
  type Ticket,
} from '@fan-api/sdk';
import { openTicketProgram, transactionHex } from '@fan-api/sdk/web3';
import type { Connection } from '@solana/web3.js';
import bs58 from 'bs58';
import { insist, mayPass } from './insist.ts';
import type { PartnerAccess } from './register-partner.ts';
import { type FanSide, SignInBroken, signIn } from './sign-in.ts';

/** How a listing or a claim ended: with the code of the refusal where there is one. */
export type Outcome = { done: true } | { done: false; refused: string };

/** What the partners did, for the judge. Times are milliseconds since the epoch. */
export interface PartnerLedger {
  /** When each transfer was sent to the service first, by signature; calls that certainly did not reach it do not count. */
  claims: Map<string, number>;
  listings: { ticketId: string; at: number; signed: boolean }[];
  /** The fan with each wallet. */
  phones: Map<string, string>;
  /** Refusals, and how often each came. */
  refusals: Map<string, number>;
}

/** A company that sells tickets of fans, with the SDK. */
export interface Partner {
  /** A ticket of a fan as the API shows it. */
  find(phone: string, ticketId: string): Promise<Ticket | undefined>;
  list(phone: string, ticket: Ticket, lamports: bigint): Promise<Outcome>;
  /** Moves a listed ticket to its buyer. */
  claim(phone: string, ticket: Ticket): Promise<Outcome>;
}

export interface PartnerOptions {
  origin: string;
  connection: Connection;
  programId: string;
  fan: FanSide;
  ledger: PartnerLedger;
}

interface Fan {
  api: FanApi;
  wallet: string;
}

const TRIES = 4;

export function openPartner(
  access: PartnerAccess,
  { origin, connection, programId, fan, ledger }: PartnerOptions,
): Partner {
  const { clientId, redirectUri, wallet } = access;
  const authServer = openAuthServer({ issuer: origin, clientId, redirectUri });
  const program = openTicketProgram(connection, programId);
  const marketplace = wallet.publicKey;
  const fans = new Map<string, Promise<Fan>>();

  async function signedIn(phone: string): Promise<Fan> {
    const passes = (error: unknown) => error instanceof SignInBroken || mayPass(error);
    const session = await insist(() => signIn(authServer, fan, phone), passes);
    // one attempt, so that it is known whether a call was sent
    const api = openFanApi({ apiUrl: `${origin}/fan`, session, maxAttempts: 1 });
    const wallet = await insist(() => api.wallet());
    ledger.phones.set(wallet, phone);
    return { api, wallet };
  }

  /** Calls as a fan, who signs in where nobody has yet or access has ended. */
  async function as<T>(phone: string, call: (fan: Fan) => Promise<T>): Promise<T> {
    for (let isLast = false; ; isLast = true) {
      const signingIn = fans.get(phone) ?? signedIn(phone);
      fans.set(phone, signingIn);
      const opened = await signingIn.catch((error) => {
        fans.delete(phone);
        throw error;
      });
      try {
        return await insist(() => call(opened));
      } catch (error) {
        if (!(error instanceof SignInRequiredError)) throw error;
        if (fans.get(phone) === signingIn) fans.delete(phone);
        if (isLast) throw error;
      }
    }
  }

  function refusal(what: string, error: unknown): Outcome {
    if (!(error instanceof FanApiError)) throw error;
    const refused = `${what}: ${error.status} ${error.code}: ${error.message}`;
    ledger.refusals.set(refused, (ledger.refusals.get(refused) ?? 0) + 1);
    return { done: false, refused };
  }

  async function sent(phone: string, hex: string): Promise<void> {
    const signature = bs58.encode(Buffer.from(hex, 'hex').subarray(1, 65));
    await as(phone, async ({ api }) => {
      const at = Date.now();
      try {
        await api.claim([hex]);
      } catch (error) {
        if (error instanceof NoAnswerError && !error.sent) throw error;
        if (!ledger.claims.has(signature)) ledger.claims.set(signature, at);
        throw error;
      }
      if (!ledger.claims.has(signature)) ledger.claims.set(signature, at);
    });
  }

  return {
    find: (phone, ticketId) =>
      as(phone, async ({ api }) => {
        const { tickets } = await api.tickets();
        return tickets.find(({ id }) => id === ticketId);
      }),
    async list(phone, ticket, lamports) {
      for (let tries = 1; ; tries++) {
        const permit = await program.readPermit(ticket);
        if (permit.listed) return { done: true };
        const instruction = await program.createListing(ticket, { marketplace, lamports });
        const hex = transactionHex(await program.prepare(instruction, [wallet]));
        const at = Date.now();
        try {
          const [signed = ''] = await as(phone, ({ api }) => api.authorize('list', [hex]));
          ledger.listings.push({ ticketId: ticket.id, at, signed: true });
          await program.submit(signed);
        } catch (error) {
          if (error instanceof FanApiError) {
            ledger.listings.push({ ticketId: ticket.id, at, signed: false });
            return refusal('list', error);
          }
          if (tries === TRIES) throw error;
        }
      }
    },
    async claim(phone, ticket) {
      for (let tries = 1; ; tries++) {
        const destination = await as(phone, async ({ wallet }) => wallet);
        const { listed, listing, lamports, owner } = await program.readPermit(ticket);
        if (owner === destination) return { done: true };
        if (!listed) return { done: false, refused: 'claim: no longer listed' };
        const transfer = program.transferPermit(ticket, { listing, lamports, marketplace, destination });
        try {
          await sent(phone, transactionHex(await program.prepare(transfer, [wallet])));
          return { done: true };
        } catch (error) {
          if (tries === TRIES || (error instanceof FanApiError && error.status === 404)) return refusal('claim', error);
        }
      }
    },
  };
}
