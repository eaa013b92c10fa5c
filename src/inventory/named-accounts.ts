import { eventAddress, permitAddress } from '@fan-api/cosign-policy/program-addresses';
import { addressOf } from '@fan-api/solana-wire/base58';
import type { Pool } from 'pg';
import { chainOf, type WithChains } from '../chain/chains.ts';
import { type AccountReading, isUnreadable, type UnreadableAccount } from '../chain/gateway/read-accounts.ts';
import type { Context } from '../platform/context.ts';
import { prepared } from '../platform/database/prepared.ts';
import { DomainError } from '../platform/errors.ts';
import type { Uuid } from '../platform/identifier/type-id.ts';
import type { InventoryRow } from './parse-row.ts';
import type { StoredState } from './stored-state.ts';

/** An Event account, and the address that the program gives an event with its ID. */
type EventAccount = { derived: string };
/** A Permit account, and the address that the program gives a permit of its event with its ticket ID. All in base58. */
type PermitAccount = { derived: string; event: string; ticketId: string; owner: string; slot: number };

/** The accounts that rows want to adopt, as the cluster has them at `finalized`. Addresses without an account are missing. */
export interface OnchainAccounts {
  /** Whether the cluster could not be asked: then nothing is known of any. */
  away: boolean;
  /** By address. */
  events: ReadonlyMap<string, EventAccount | UnreadableAccount>;
  /** By address. */
  permits: ReadonlyMap<string, PermitAccount | UnreadableAccount>;
}

/** Onchain accounts with what the database has of them. */
export interface NamedAccounts extends OnchainAccounts {
  /** Addresses and onchain ticket IDs that an event or ticket has already. */
  taken: Set<string>;
  /** Production fans by the wallets that own the permits. */
  fans: ReadonlyMap<string, Uuid>;
}

type AccountsContext = Pick<Context, 'log'> & WithChains;

const readTaken = prepared<{ taken: string }>(`
  select tix_event_id as taken from event where tix_event_id = any($1)
  union all select tix_permit_id from permit where tix_permit_id = any($2)
  union all select tix_ticket_id from ticket where tix_ticket_id = any($3)`);

const readWallets = prepared<{ address: string; fan_id: Uuid }>(`
  select w.address, w.fan_id from wallet w join fan f on f.id = w.fan_id
  where w.address = any($1) and f.mode = 'production'`);

/** Reads the accounts that rows name; the cluster is asked once for each, however often the same rows are planned. */
export class AccountReader {
  readonly #context: AccountsContext;
  #away = false;
  readonly #events = new Map<string, EventAccount | UnreadableAccount | undefined>();
  readonly #permits = new Map<string, PermitAccount | UnreadableAccount | undefined>();

  constructor(context: AccountsContext) {
    this.#context = context;
  }

  /** Reads the accounts that rows of new events and tickets name. Where none names one, neither cluster nor database is asked. */
  async read(pool: Pool, rows: readonly InventoryRow[], stored: StoredState): Promise<NamedAccounts> {
    const named = namedBy(rows, stored);
    if (named.events.length + named.permits.length === 0) return { ...NOTHING, taken: new Set() };
    if (!this.#away) await this.#ask(named.events, named.permits);
    const permits = present(this.#permits);
    const sound = [...permits.values()].flatMap((permit) => (isUnreadable(permit) ? [] : permit));
    const ticketIds = sound.map(({ ticketId }) => ticketId);
    const [taken, wallets] = await Promise.all([
      readTaken(pool, [named.events, named.permits, ticketIds]),
      readWallets(pool, [sound.map(({ owner }) => owner)]),
    ]);
    return {
      away: this.#away,
      events: present(this.#events),
      permits,
      taken: new Set(taken.map((row) => row.taken)),
      fans: new Map(wallets.map(({ address, fan_id }) => [address, fan_id])),
    };
  }

  async #ask(events: readonly string[], permits: readonly string[]): Promise<void> {
    const newEvents = events.filter((address) => !this.#events.has(address));
    const newPermits = permits.filter((address) => !this.#permits.has(address));
    try {
      const { gateway, programId } = chainOf(this.#context.chains, 'production');
      const [eventReadings, permitReadings] = await Promise.all([
        newEvents.length === 0 ? [] : gateway.finalAccounts('Event', newEvents),
        newPermits.length === 0 ? [] : gateway.finalAccounts('Permit', newPermits),
      ]);
      for (const [index, address] of newEvents.entries()) {
        const toEvent = ({ event_id }: { event_id: Uint8Array }) => ({
          derived: eventAddress(programId, event_id).address,
        });
        this.#events.set(address, readable(eventReadings[index], toEvent));
      }
      for (const [index, address] of newPermits.entries()) {
        const reading = readable(permitReadings[index], ({ event, ticket_id, owner, slot }) => ({
          derived: permitAddress(programId, event, ticket_id).address,
          ticketId: addressOf(ticket_id),
          event,
          owner,
          slot,
        }));
        this.#permits.set(address, reading);
      }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#context.log.warn({ err: error }, 'rows that adopt accounts wait: the cluster can’t be asked');
      this.#away = true;
    }
  }
}

const NOTHING: Omit<NamedAccounts, 'taken'> = { away: false, events: new Map(), permits: new Map(), fans: new Map() };

function readable<Account extends object, Result>(
  reading: AccountReading<Account>,
  use: (account: Account) => Result,
): Result | UnreadableAccount | undefined {
  return reading === undefined || isUnreadable(reading) ? reading : use(reading);
}

function present<Account>(accounts: ReadonlyMap<string, Account | undefined>): Map<string, Account> {
  return new Map([...accounts].flatMap(([address, account]) => (account === undefined ? [] : [[address, account]])));
}

function namedBy(rows: readonly InventoryRow[], stored: StoredState): { events: string[]; permits: string[] } {
  const events = new Set<string>();
  const permits = new Set<string>();
  for (const row of rows) {
    if (row.kind === 'event' && row.tix_event_id !== undefined && !stored.events.has(row.reference)) {
      events.add(row.tix_event_id);
    }
    if (row.kind === 'ticket' && row.tix_permit_id !== undefined && !stored.tickets.has(row.reference)) {
      permits.add(row.tix_permit_id);
    }
  }
  return { events: [...events], permits: [...permits] };
}
