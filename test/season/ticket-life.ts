import { setTimeout as sleep } from 'node:timers/promises';
import type { Ticket } from '@fan-api/sdk';
import type { TicketProgram } from '@fan-api/sdk/web3';
import type { Doors } from './doors.ts';
import type { GateTicket } from './gate.ts';
import type { Outcome, Partner } from './partner.ts';
import { type PlannedTicket, type RowFile, refundOf } from './plan.ts';
import type { Random } from './random.ts';

/** Where tickets live. */
export interface World {
  phones: readonly string[];
  partners: readonly Partner[];
  program: Pick<TicketProgram, 'permitAddress'>;
  doors: Doors;
  /** What the gate knows of a ticket, not older than a second or two. */
  atGate(ticket: string): GateTicket | undefined;
  /** The permit of each ticket that partners have seen. */
  permits: Map<string, string>;
  /** Hands a file to the box office. */
  writeRows(file: RowFile): Promise<void>;
}

const LAMPORTS = 1_000_000n;
const PAUSE_MS = 500;
const KNOWN_WITHIN_MS = 600_000;
/** After the end of its resale a ticket is tried. */
const AFTER_END_MS = 1_500;

const SHARES = {
  /** A ticket is sold once, twice, three times. */
  sales: [0.75, 0.4, 0.3],
  sellerScans: 0.2,
  wrongRefund: 0.05,
  stays: 0.08,
  entersListed: 0.08,
  sellsAtDoors: 0.08,
  showsAgain: 0.3,
  listsUsed: 0.3,
} as const;

let prices = 0n;
/** Each sale has a price of its own. */
function nextPrice(): bigint {
  prices += 1n;
  return LAMPORTS + prices;
}

/** A ticket from its first appearance to the doors: sold on, tried in ways that must not work, and scanned. */
export async function liveAs(planned: PlannedTicket, world: World, random: Random): Promise<void> {
  const { reference, phone, resaleUntil = Number.POSITIVE_INFINITY } = planned;
  const { doors } = world;
  const mine = await issued(planned, world, random);
  const permit = world.program.permitAddress(mine).toBase58();
  world.permits.set(reference, permit);
  const life: Life = { ...{ planned, world, ticket: mine, permit, holder: phone, random }, former: [] };
  if (planned.refunded) {
    await world.writeRows(refundOf(planned));
    await until(() => world.atGate(reference)?.status === 'refunded');
    await doors.scan(reference, permit, phone);
    return;
  }
  if (planned.waits) await overtakenByEnd(life, resaleUntil);
  else await tradeOn(life, resaleUntil);
  if (life.holder !== phone && random.chance(SHARES.wrongRefund)) {
    life.refunded = phone;
    await world.writeRows(refundOf(planned, phone));
  }
  if (!random.chance(SHARES.stays)) await goToDoors(life);
}

interface Life {
  planned: PlannedTicket;
  world: World;
  ticket: Ticket;
  permit: string;
  random: Random;
  holder: string;
  /** Whom it was with before, the first one first. */
  former: string[];
  /** Who asked for money without having it: the refund would be right if it were bought back. */
  refunded?: string;
}

/** Waits until the fan’s app shows the ticket. Because that app may list it, its permit is issued. */
async function issued({ reference, phone }: PlannedTicket, world: World, random: Random): Promise<Ticket> {
  await until(() => world.atGate(reference) !== undefined);
  const id = world.atGate(reference)?.id ?? '';
  for (;;) {
    const ticket = await random.pick(world.partners).find(phone, id);
    if (ticket) {
      await until(() => world.atGate(reference)?.onchain === 'issued');
      return ticket;
    }
    await sleep(PAUSE_MS);
  }
}

async function tradeOn(life: Life, resaleUntil: number): Promise<void> {
  const { world, planned, random } = life;
  for (const share of SHARES.sales) {
    if (!random.chance(share)) return;
    const sold = await sell(life);
    // it may have begun before the end of resale, and been held up
    const isFree = planned.resale && Date.now() < resaleUntil;
    if (isFree && !sold.done) throw new Error(`could not be sold: ${sold.refused}`);
    if (!sold.done) return;
    if (!random.chance(SHARES.sellerScans)) continue;
    const { entered } = await world.doors.scan(planned.reference, life.permit, life.former.at(-1) ?? '');
    if (entered) return;
  }
}

/** Is on sale when its resale ends, or is tried after it. */
async function overtakenByEnd(life: Life, resaleUntil: number): Promise<void> {
  const { random, world } = life;
  const [partner, isListed] = [random.pick(world.partners), random.chance(0.5)];
  if (isListed) await partner.list(life.holder, life.ticket, nextPrice());
  await until(() => Date.now() > resaleUntil + AFTER_END_MS);
  if (isListed) await handOver(life, partner, buyerOf(life));
  else await sell(life);
}

function buyerOf({ world, holder, refunded, random }: Life): string {
  return random.pick(world.phones.filter((phone) => phone !== holder && phone !== refunded));
}

async function sell(life: Life): Promise<Outcome> {
  const partner = life.random.pick(life.world.partners);
  const listed = await partner.list(life.holder, life.ticket, nextPrice());
  return listed.done ? handOver(life, partner, buyerOf(life)) : listed;
}

async function handOver(life: Life, partner: Partner, buyer: string): Promise<Outcome> {
  const claimed = await partner.claim(buyer, life.ticket);
  if (claimed.done) {
    life.former.push(life.holder);
    life.holder = buyer;
  }
  return claimed;
}

async function goToDoors(life: Life): Promise<void> {
  const { planned, world, ticket, permit, random } = life;
  const { doors, partners } = world;
  const { reference, resale, resaleUntil = Number.POSITIVE_INFINITY } = planned;
  const mayBeListed = resale && Date.now() < resaleUntil;
  const partner = random.pick(partners);
  const buyer = buyerOf(life);
  if (mayBeListed && random.chance(SHARES.sellsAtDoors)) {
    // a sale and a scan of its seller meet
    const [sold] = await Promise.all([sell(life), doors.scan(reference, permit, life.holder)]);
    if (sold.done) await doors.scan(reference, permit, life.former.at(-1) ?? '');
  }
  const entersListed = mayBeListed && random.chance(SHARES.entersListed);
  if (entersListed) await partner.list(life.holder, ticket, nextPrice());
  await doors.enter(reference, permit, life.holder);
  if (random.chance(SHARES.showsAgain)) await doors.scan(reference, permit, life.holder);
  const [seller] = life.former;
  if (seller !== undefined && random.chance(SHARES.showsAgain)) await doors.scan(reference, permit, seller);
  if (!entersListed && !random.chance(SHARES.listsUsed)) return;
  await until(() => world.atGate(reference)?.told === true);
  if (entersListed) await handOver(life, partner, buyer);
  else await partner.list(life.holder, ticket, nextPrice());
}

/** @throws Error where it does not come true */
async function until(isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + KNOWN_WITHIN_MS; !isTrue(); await sleep(PAUSE_MS)) {
    if (Date.now() > end) throw new Error(`did not come true within ${KNOWN_WITHIN_MS / 1000} s: ${isTrue}`);
  }
}
