import type { Kit } from './kit.ts';
import { fail } from './narrate.ts';

/** A ticket as the Fan API shows it. */
export interface Ticket {
  id: string;
  tix_event_id: string;
  tix_ticket_id: string;
  event_name: string;
  ticket_type_name: string;
}

/** The calls of the Fan API. @param accessToken gives one that is valid now */
export function fanApi(kit: Kit, accessToken: () => Promise<string>) {
  async function call(method: string, path: string, body?: object) {
    const answer = await fetch(`${kit.api_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await accessToken()}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const json = await answer.json();
    return answer.ok ? json : fail(`${method} ${path} answered ${answer.status}: ${json.message}`);
  }
  return {
    tickets: async (): Promise<Ticket[]> => (await call('GET', '/tickets')).tickets,
    authorize: async (type: 'list' | 'cancel', transaction: string): Promise<string> =>
      (await call('POST', '/authorizations', { type, transactions: [transaction] })).transactions[0],
    /** The address that a ticket for the fan is transferred to. */
    wallet: async (): Promise<string> => (await call('GET', '/wallet')).wallet_address,
    claim: async (transaction: string): Promise<{ ticket_id: string; transfer_id: string }> =>
      (await call('POST', '/claims/execute', { tickets: [{ tx: transaction }] })).tickets[0],
  };
}
