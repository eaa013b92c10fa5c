import { authorizedFetch } from './authorized-fetch.ts';
import { type CallOperation, operationCaller } from './call-operation.ts';
import { linkOf } from './errors.ts';
import type { components } from './openapi.ts';
import type { TokenSource } from './session.ts';
import type { TransportOptions } from './transport.ts';

type Schemas = components['schemas'];

/** A ticket as the Fan API shows it. @see spec §2 */
export type Ticket = Schemas['Ticket'];
export type FetchTicketsResponse = Schemas['FetchTicketsResponse'];
export type ExecutedClaim = Schemas['ExecutedClaim'];
export type ExplainResponse = Schemas['ExplainResponse'];

/** What `POST /authorizations` signs. */
export type ListingAction = Schemas['CreateAuthorizationRequest']['type'];

export interface FanApiOptions extends TransportOptions {
  /** Where the Fan API is, such as `https://api.example.com/fan`. */
  apiUrl: string;
  /** Gives the access tokens of the fan. */
  session: TokenSource;
}

export interface CallOptions {
  /** Ends the call and its repetitions. */
  signal?: AbortSignal | undefined;
}

export interface TicketsChoice extends CallOptions {
  /** Only tickets of this event: its `svc_event_id` or `tix_event_id`. */
  eventId?: string | undefined;
}

/**
 * The operations of the Fan API for one fan.
 * @throws FanApiError where a call is refused @throws NoAnswerError @throws SignInRequiredError where access has ended
 */
export interface FanApi {
  /** All future tickets that the fan granted. */
  tickets(choice?: TicketsChoice): Promise<FetchTicketsResponse>;
  /** The same in pages of 1 to 200 tickets. */
  ticketPages(choice: TicketsChoice & { limit: number }): AsyncGenerator<FetchTicketsResponse>;
  /** The wallet that a ticket for the fan is transferred to, in base58. */
  wallet(options?: CallOptions): Promise<string>;
  /** Has 1 to 4 transactions signed. @param transactions in hex or base64 @returns them signed, in hex, in their order */
  authorize(type: ListingAction, transactions: string[], options?: CallOptions): Promise<string[]>;
  /** Claims 1 to 10 signed transfers, in hex. The same again gives the same answer. */
  claim(transfers: string[], options?: CallOptions): Promise<ExecutedClaim[]>;
  /**
   * A verdict on transactions by each rule of the policy; nothing is signed or executed. Sandbox only: production would execute the
   * call, so the SDK does not send it there. @throws TypeError in production
   */
  explain(type: ListingAction | 'claim', transactions: string[], options?: CallOptions): Promise<ExplainResponse>;
  /** Any operation, with the exact types of the OpenAPI description. */
  call: CallOperation;
}

export function openFanApi({ apiUrl, session, ...transport }: FanApiOptions): FanApi {
  const call = operationCaller(apiUrl, authorizedFetch(session, transport));

  return {
    call,
    async tickets({ eventId, signal } = {}) {
      return (await call('get', '/tickets', { query: { event_id: eventId }, signal })).data;
    },
    async *ticketPages({ eventId, limit, signal }) {
      let cursor: string | undefined;
      do {
        const { data, headers } = await call('get', '/tickets', {
          query: { event_id: eventId, limit, cursor },
          signal,
        });
        yield data;
        const next = linkOf(headers, 'next');
        cursor = next === undefined ? undefined : (new URL(next, apiUrl).searchParams.get('cursor') ?? undefined);
      } while (cursor !== undefined);
    },
    async wallet(options) {
      return (await call('get', '/wallet', options)).data.wallet_address;
    },
    async authorize(type, transactions, options) {
      const { data } = await call('post', '/authorizations', { body: { type, transactions }, ...options });
      return (data as Schemas['CreateAuthorizationResponse']).transactions;
    },
    async claim(transfers, options) {
      const { data } = await call('post', '/claims/execute', { body: claimOf(transfers), ...options });
      return (data as Schemas['ExecuteClaimResponse']).tickets;
    },
    async explain(type, transactions, options) {
      if ((await session.tokens())?.response.mode !== 'sandbox') throw new TypeError('Only a sandbox explains.');
      const more = { headers: { Prefer: 'explain' }, ...options };
      const { data, headers } = await (type === 'claim'
        ? call('post', '/claims/execute', { body: claimOf(transactions), ...more })
        : call('post', '/authorizations', { body: { type, transactions }, ...more }));
      if (!/\bexplain\b/.test(headers.get('preference-applied') ?? '')) {
        throw new Error('The service did not explain the transactions: it carried the call out.');
      }
      return data as ExplainResponse;
    },
  };
}

const claimOf = (transfers: string[]) => ({ tickets: transfers.map((tx) => ({ tx })) });
