import { bearer } from '../load.ts';
import { createTicketHolder } from '../stage/create-ticket-holder.ts';
import type { Stage } from '../stage/stage.ts';
import type { Path } from './path.ts';

const TICKETS = 10;

const tokens = new WeakMap<Stage, Promise<string>>();

/** An access token of the fan whose tickets are listed. */
export function ticketsToken(stage: Stage): Promise<string> {
  const token = tokens.get(stage) ?? createTicketHolder(stage.context(), stage.kit, TICKETS);
  tokens.set(stage, token);
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
