import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { putOnchain } from '../../../src/inventory/issuing/issue-turn.ts';
import { idOf, type Uuid } from '../../../src/platform/identifier/type-id.ts';
import { reconcile } from '../../../src/tickets/ticket/reconcile.ts';
import {
  CHAIN_SCOPE,
  type ChainApp,
  type ChainAppOptions,
  rows,
  startChainApp,
  type TestTicket,
  type User,
} from '../../support/chain-app.ts';
import type { Tokens } from '../../support/partner.ts';
import { apply, newEvent, signInProduction, ticketRow } from './stage.ts';

/** A service whose production mode uses the local network too, with the keys of the sandbox: one program has one authority. */
export async function startProductionChain(options: Omit<ChainAppOptions, 'env'> = {}): Promise<ChainApp> {
  const env = { PRODUCTION_PROGRAM_ID: LOCAL_PROGRAM_ID, ACCESS_TOKEN_TTL: '3600' };
  const app = await startChainApp({ ...options, env });
  app.runtime.chains = { ...app.runtime.chains, production: app.chain };
  await app.runtime.pool.query(
    `insert into chain_cluster (mode, genesis_hash) select 'production', genesis_hash from chain_cluster where mode = 'sandbox'
     on conflict do nothing`,
  );
  return app;
}

/** Registers events and issues permits of production that wait for it. */
export async function issueAll(app: ChainApp): Promise<void> {
  await putOnchain(app.context(), 'production');
  await reconcile(app.context(), 'production');
}

/** What is known of a ticket by its reference. */
export async function ticketOf(app: ChainApp, reference: string) {
  const [row] = await rows<{
    id: Uuid;
    owner: string | null;
    wallet: string;
    permit: string;
    revoked: boolean;
    listing: boolean;
  }>(
    app,
    `select t.id, f.phone as owner, w.address as wallet, p.tix_permit_id as permit, p.revoked_at is not null as revoked,
       exists (select from listing l where l.permit_id = p.id and l.closed_at is null) as listing
     from ticket t join permit p on p.ticket_id = t.id left join fan f on f.id = t.owner_id left join wallet w on w.fan_id = f.id
     where t.reference = $1`,
    [reference],
  );
  if (!row) throw new Error(`there is no ticket ${reference}`);
  return row;
}

/** State and reason of each custody move of a ticket's permit, oldest first. */
export function movesOf(app: ChainApp, reference: string) {
  return rows<{ kind: string; state: string; reason: string | null; tries: number; origin: string }>(
    app,
    `select m.kind, m.state, m.reason, m.tries, m.origin from custody_move m join permit p on p.id = m.permit_id
       join ticket t on t.id = p.ticket_id where t.reference = $1 order by m.created_at, m.id`,
    [reference],
  );
}

/** A production fan, registered by the import, who signs in on demand. */
export async function fanOf(app: ChainApp, phone: string): Promise<User> {
  const [fan] = await rows<{ id: Uuid; address: string }>(
    app,
    `select f.id, w.address from fan f join wallet w on w.fan_id = f.id where f.mode = 'production' and f.phone = $1`,
    [phone],
  );
  if (!fan) throw new Error(`there is no fan ${phone}`);
  let tokens: Promise<Tokens> | undefined;
  return {
    id: idOf('usr', fan.id),
    phone,
    code: '',
    wallet_address: fan.address,
    tokens() {
      tokens ??= signInProduction(app, phone, { scope: CHAIN_SCOPE });
      return tokens;
    },
  };
}

let numbers = 300;
/** A number that no other test of the file has used. */
export function newPhone(): string {
  numbers += 1;
  return `+1202555${String(numbers).padStart(4, '0')}`;
}

/** A ticket of a new holder, issued; its row, and what a partner knows of it. */
export async function issuedTicketOf(app: ChainApp) {
  const { event, type, rows: before } = newEvent();
  const row = ticketRow(event, type, `life-${event}`, { holder_phone: newPhone() });
  await apply(app, [...before, row]);
  await issueAll(app);
  const stored = await ticketOf(app, row.reference);
  const ticket: TestTicket = { id: stored.id, permit: stored.permit, tixEventId: '', tixTicketId: '' };
  return { event, type, row, ticket, owner: await fanOf(app, row.holder_phone) };
}
