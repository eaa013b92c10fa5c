import createClient, { type Client } from 'openapi-fetch';
import { authorizedFetch } from './authorized-fetch.ts';
import { FanApiError, linkOf } from './errors.ts';
import type { components, paths } from './openapi.ts';
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
  /** Of the fan. */
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
   * What each rule of the policy says on transactions; nothing is signed or executed. Sandbox only: production would carry the call
   * out, so there it is not sent. @throws TypeError in production
   */
  explain(type: ListingAction | 'claim', transactions: string[], options?: CallOptions): Promise<ExplainResponse>;
  /** Every operation with its exact types, for what the others leave out. */
  readonly client: Client<paths>;
}

export function openFanApi({ apiUrl, session, ...transport }: FanApiOptions): FanApi {
  const client = createClient<paths>({ baseUrl: apiUrl, fetch: authorizedFetch(session, transport) });

  const pageOf = (choice: TicketsChoice & { limit?: number; cursor?: string | undefined }) => {
    const { eventId, limit, cursor, signal } = choice;
    const query = { ...optional('event_id', eventId), ...optional('limit', limit), ...optional('cursor', cursor) };
    return answerOf(client.GET('/tickets', { params: { query }, ...optional('signal', signal) }));
  };

  return {
    client,
    tickets: async (choice = {}) => (await pageOf(choice)).data,
    async *ticketPages(choice) {
      let cursor: string | undefined;
      do {
        const { data, response } = await pageOf({ ...choice, cursor });
        yield data;
        const next = linkOf(response.headers, 'next');
        cursor = next === undefined ? undefined : (new URL(next, apiUrl).searchParams.get('cursor') ?? undefined);
      } while (cursor !== undefined);
    },
    wallet: async ({ signal } = {}) =>
      (await answerOf(client.GET('/wallet', { ...optional('signal', signal) }))).data.wallet_address,
    async authorize(type, transactions, { signal } = {}) {
      const { data } = await answerOf(
        client.POST('/authorizations', { body: { type, transactions }, ...optional('signal', signal) }),
      );
      return (data as Schemas['CreateAuthorizationResponse']).transactions;
    },
    async claim(transfers, { signal } = {}) {
      const { data } = await answerOf(
        client.POST('/claims/execute', { body: claimOf(transfers), ...optional('signal', signal) }),
      );
      return (data as Schemas['ExecuteClaimResponse']).tickets;
    },
    async explain(type, transactions, { signal } = {}) {
      if ((await session.tokens())?.response.mode !== 'sandbox') throw new TypeError('Only a sandbox explains.');
      const more = { params: { header: { Prefer: 'explain' } }, ...optional('signal', signal) };
      const { data, response } = await (type === 'claim'
        ? answerOf(client.POST('/claims/execute', { body: claimOf(transactions), ...more }))
        : answerOf(client.POST('/authorizations', { body: { type, transactions }, ...more })));
      if (!/\bexplain\b/.test(response.headers.get('preference-applied') ?? '')) {
        throw new Error('The service did not explain the transactions: it carried the call out.');
      }
      return data as ExplainResponse;
    },
  };
}

const claimOf = (transfers: string[]) => ({ tickets: transfers.map((tx) => ({ tx })) });

/** A member that is left out where it is undefined. */
function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** @throws FanApiError where it was refused */
async function answerOf<Data>(call: Promise<Answer<Data>>): Promise<{ data: NonNullable<Data>; response: Response }> {
  const { data, error, response } = await call;
  if (!response.ok || data === undefined || data === null) throw new FanApiError(response, error);
  return { data, response };
}
