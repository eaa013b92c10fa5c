import { REQUIRED_ACTIONS } from '../../../../src/partners/scopes.ts';
import { FetchTicketsQuery } from '../wire.ts';
import { ADDRESSES, IDS, LISTING, SIGNED_LISTING, TRANSFER, TRANSFER_ID } from './example-values.ts';
import { EVERY, success, successOrExplanation, WITH_BODY, WITH_QUERY } from './fan-answers.ts';
import { jsonBody, type Operation } from './operation.ts';

const TICKET = {
  id: IDS.ticket,
  svc_event_id: IDS.event,
  tix_event_id: ADDRESSES.event,
  tix_ticket_id: ADDRESSES.ticket,
  ticket_type_id: IDS.ticketType,
  event_name: 'Harbour Lights',
  ticket_type_name: 'Standing',
  purchase_date: '2026-01-02T03:04:05.678Z',
};

/** The operations of the Fan API. @see spec §4.1 */
export const FAN_OPERATIONS: Operation[] = [
  {
    id: 'fetchTickets',
    method: 'get',
    path: '/tickets',
    scopes: [REQUIRED_ACTIONS.fetchTickets],
    summary: 'Lists the future tickets of the authenticated user',
    description:
      'Tickets of events that have not ended, within the grant and the mode of the token, ordered by the start of the event. A sandbox token sees the tickets of sandbox test users that have a permit for this integration.',
    parameters: {
      in: 'query',
      shape: FetchTicketsQuery,
      descriptions: {
        event_id:
          'A service event identifier or an onchain event identifier (`tix_event_id`). One that matches no event, whatever it looks like, gives an empty list.',
        limit: 'Tickets per page. Without it all of them come at once.',
        cursor: 'From the `Link` header of the page before.',
      },
    },
    answers: {
      200: success(
        'The tickets.',
        'FetchTicketsResponse',
        {
          one: { summary: 'One ticket', value: { user_id: IDS.fan, tickets: [TICKET] } },
          none: { summary: 'No tickets', value: { user_id: IDS.fan, tickets: [] } },
        },
        {
          headers: ['Link'],
          links: {
            ticketsOfEvent: {
              operationId: 'fetchTickets',
              description: 'The tickets of the same event.',
              parameters: { event_id: '$response.body#/tickets/0/svc_event_id' },
            },
            listTicket: {
              operationId: 'createAuthorization',
              description: 'Lists a ticket: build the transaction from `tix_event_id` and `tix_ticket_id`.',
            },
          },
        },
      ),
      ...WITH_QUERY,
    },
  },
  {
    id: 'createAuthorization',
    method: 'post',
    path: '/authorizations',
    explains: true,
    scopes: [REQUIRED_ACTIONS.createAuthorization],
    summary: 'Signs transactions that create or cancel a listing',
    description:
      "Each transaction has exactly one listing instruction of the ticket program, of the kind that `type` names, and at most a compute limit and a compute price beside it. All are judged as one set: either all come back with the fan's signature and the co-signer's, or none. The program's IDL is at `/idl.json`.",
    body: jsonBody('CreateAuthorizationRequest', {
      list: { summary: 'List one ticket', value: { type: 'list', transactions: [LISTING] } },
    }),
    answers: {
      200: successOrExplanation('The signed transactions.', 'CreateAuthorizationResponse', {
        list: { summary: 'The signed listing', value: { transactions: [SIGNED_LISTING] } },
      }),
      ...WITH_BODY,
    },
  },
  {
    id: 'executeClaim',
    method: 'post',
    path: '/claims/execute',
    explains: true,
    scopes: [REQUIRED_ACTIONS.executeClaim],
    summary: 'Claims tickets by signed transfer transactions',
    description:
      'Each transaction is fully signed and has exactly one `transfer_permit_v1` instruction, to the wallet of the authenticated user, with the number and price of the listing that it fulfils. All are judged before any is submitted. The same request again gives the same answer.',
    body: jsonBody('ExecuteClaimRequest', {
      one: { summary: 'Claim one ticket', value: { tickets: [{ tx: TRANSFER }] } },
    }),
    answers: {
      200: successOrExplanation(
        'The tickets, now claimed for the user.',
        'ExecuteClaimResponse',
        {
          one: {
            summary: 'One claimed ticket',
            value: {
              tickets: [
                {
                  tix_event_id: ADDRESSES.event,
                  tix_permit_id: ADDRESSES.permit,
                  ticket_id: IDS.ticket,
                  signer_wallet: ADDRESSES.marketplace,
                  destination_wallet: ADDRESSES.buyer,
                  transfer_id: TRANSFER_ID,
                },
              ],
            },
          },
        },
        {
          links: {
            claimedTickets: {
              operationId: 'fetchTickets',
              description: 'The claimed ticket among the tickets of the user.',
              parameters: { event_id: '$response.body#/tickets/0/tix_event_id' },
            },
          },
        },
      ),
      ...WITH_BODY,
    },
  },
  {
    id: 'fetchWallet',
    method: 'get',
    path: '/wallet',
    beside: true,
    scopes: [REQUIRED_ACTIONS.fetchWallet],
    summary: 'Names the wallet that tickets for the authenticated user go to',
    description:
      'The destination of a transfer that the user will claim with `executeClaim`, also of a user who holds no ticket. It does not change while the user has the account.',
    answers: {
      200: success(
        'The wallet of the user.',
        'FetchWalletResponse',
        { wallet: { value: { wallet_address: ADDRESSES.buyer } } },
        {
          links: {
            claim: {
              operationId: 'executeClaim',
              description: 'Claims a ticket: `wallet_address` is the `destination` of its transfer.',
            },
          },
        },
      ),
      ...EVERY,
    },
  },
];
