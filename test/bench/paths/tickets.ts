import { bearer } from '../load.ts';
import { createTicketHolder } from '../stage/create-ticket-holder.ts';
import { issueCodes } from '../stage/issue-codes.ts';
import { exchangeAll } from '../stage/obtain-access-tokens.ts';
import type { Stage } from '../stage/stage.ts';
import type { Path } from './path.ts';

const TICKETS = 10;

const holders = new WeakMap<Stage, ReturnType<typeof createTicketHolder>>();

/** A new access token of the fan whose tickets are listed. */
export async function ticketsToken(stage: Stage): Promise<string> {
  const holder = holders.get(stage) ?? createTicketHolder(stage.context(), stage.kit, TICKETS);
  holders.set(stage, holder);
  const context = stage.context();
  const [token = ''] = await exchangeAll(context, await issueCodes(context, stage.kit, 1, await holder));
  return token;
}

/** `GET /tickets` of a fan with 10 tickets. */
export const tickets: Path = {
  title: 'GET /tickets',
  requests: 3_000,
  connections: 32,
  withoutPool: false,
  async prepare(stage) {
    const token = await ticketsToken(stage);
    const path = `${new URL(stage.config.apiUrl).pathname}/tickets`;
    return { method: 'GET', path, requests: [{ headers: bearer(token) }] };
  },
};
