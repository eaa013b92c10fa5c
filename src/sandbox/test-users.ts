import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createWallet } from '../chain/wallet/create-keys.ts';
import { Client } from '../entities/client.ts';
import { Fan } from '../entities/fan.ts';
import { Partner } from '../entities/partner.ts';
import { TestUser } from '../entities/test-user.ts';
import { Wallet } from '../entities/wallet.ts';
import type { WithCustody } from '../keys/vault.ts';
import type { Context, WriteContext } from '../platform/context.ts';
import { takeLock } from '../platform/database/advisory-lock.ts';
import { rowUnder } from '../platform/database/row-under.ts';
import { DomainError } from '../platform/errors.ts';
import type { Id } from '../platform/identifier/type-id.ts';
import { recordAudit } from '../record/audit/record-audit.ts';
import { numberOf } from '../sign-in/fan/find-fans.ts';

const MOST_AT_ONCE = 50;

/** A sandbox fan that partners test with. */
export interface CreatedTestUser {
  fan: Fan;
  testUser: TestUser;
  wallet: Wallet;
}

/**
 * Creates a test user with a phone number reserved for fiction, a static code and a wallet. Written with the caller's unit of work.
 * @param partner the only one whose sandbox clients know it; null for every partner
 * @param testPhone one of `freeTestPhones`, where the caller has taken several
 */
export async function createTestUser(
  context: WriteContext & WithCustody,
  partner: Partner | null,
  actor: string,
  testPhone?: string,
): Promise<CreatedTestUser> {
  const { em, now } = context;
  const phone = testPhone ?? (await freeTestPhones(em, 1)).join();
  const fan = em.create(Fan, { mode: 'sandbox', phone, numberVouchedAt: now(), createdAt: now() });
  const wallet = await createWallet(context, fan);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const testUser = em.create(TestUser, { fan, partner, code, createdAt: now() });
  recordAudit(context, {
    actor,
    action: 'test_user.created',
    subject: fan.id,
    details: { partner: partner?.id ?? null },
  });
  return { fan, testUser, wallet };
}

/**
 * Creates test users for a partner, or for every partner, all or none.
 * @param plan.count 1 to 50
 * @throws DomainError `invalid_request`; `not_found` where there is no such partner
 */
export async function createTestUsers(
  context: WriteContext & WithCustody,
  plan: { partnerId?: string | null | undefined; count: number },
  actor: string,
): Promise<CreatedTestUser[]> {
  const { partnerId, count } = plan;
  if (!Number.isInteger(count) || count < 1 || count > MOST_AT_ONCE) {
    throw new DomainError('invalid_request', `count must be 1 to ${MOST_AT_ONCE}.`);
  }
  return context.em.transactional(async (em) => {
    const partner = partnerId == null ? null : await rowUnder(em, Partner, 'ptn', partnerId);
    const created: CreatedTestUser[] = [];
    for (const phone of await freeTestPhones(em, count)) {
      created.push(await createTestUser({ ...context, em }, partner, actor, phone));
    }
    return created;
  });
}

/** US area codes. In each, 555-0100 to 555-0199 are reserved for fiction: 100 test users per area code, some 26,000 in all. */
const AREA_CODES = `
  201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252 253 254
  256 260 262 267 269 270 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320 321 323 325 330
  334 336 337 339 347 351 352 360 361 386 401 402 404 405 406 407 408 409 410 412 413 414 415 417 419 423 424 425 430 432
  434 435 440 443 469 478 479 480 484 501 502 503 504 505 507 508 509 510 512 513 515 516 517 518 520 530 540 541 559 561
  562 563 567 570 571 573 574 580 585 586 601 602 603 605 606 607 608 609 610 612 614 615 616 617 618 619 620 623 626 630
  631 636 641 646 650 651 660 661 662 678 682 701 702 703 704 706 707 708 712 713 714 715 716 717 718 719 720 724 727 731
  732 734 740 754 757 760 763 765 770 772 773 774 775 781 785 786 801 802 803 804 805 806 808 810 812 813 814 815 816 817
  818 828 830 831 832 843 845 847 848 850 856 857 858 859 860 862 863 864 865 870 878 901 903 904 906 907 908 909 910 912
  913 914 915 916 917 918 919 920 925 928 931 936 937 940 941 949 951 952 954 956 970 971 972 973 978 979 980 985 989`
  .trim()
  .split(/\s+/);

const LINES_PER_AREA = 100;
/** Numbers looked up at a time. */
const BATCH = 200;

/**
 * Free test phone numbers in E.164, from a random start on. A number is never reused: its fan stays when the test user is removed.
 * @param em of the transaction that uses them; it holds the lock until it ends
 * @throws DomainError `unavailable` where fewer are left
 */
export async function freeTestPhones(em: EntityManager, count: number): Promise<string[]> {
  await takeLock(em, 'testPhones');
  const total = AREA_CODES.length * LINES_PER_AREA;
  const start = randomInt(total);
  const pending = pendingPhones(em);
  const free: string[] = [];
  for (let at = 0; at < total && free.length < count; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, total - at) }, (_, i) => phoneAt((start + at + i) % total));
    const fans = await em.find(Fan, { mode: 'sandbox', phone: { $in: batch } }, { fields: ['phone'] });
    const taken = new Set([...fans.map(({ phone }) => phone), ...pending]);
    free.push(...batch.filter((phone) => !taken.has(phone)));
  }
  if (free.length < count)
    throw new DomainError('unavailable', 'All test phone numbers are in use. Reset a sandbox to free some.');
  return free.slice(0, count);
}

function phoneAt(index: number): string {
  const area = AREA_CODES[Math.floor(index / LINES_PER_AREA)] ?? '';
  return `+1${area}55501${String(index % LINES_PER_AREA).padStart(2, '0')}`;
}

/** Numbers of fans in the unit of work that are not yet in the database. */
function pendingPhones(em: EntityManager): string[] {
  return [...em.getUnitOfWork().getPersistStack()].flatMap((entity) =>
    entity instanceof Fan && entity.phone ? [entity.phone] : [],
  );
}

/** A test user as a developer needs it: number and code for the hosted pages, and the wallet that holds the tickets. */
export interface DescribedTestUser {
  id: Id<'usr'>;
  /** E.164. */
  phone: string;
  code: string;
  /** Base58. */
  wallet_address: string;
}

/** @param testUsers with their fans loaded */
export async function describeTestUsers(
  em: Context['em'],
  testUsers: readonly TestUser[],
): Promise<DescribedTestUser[]> {
  const wallets = await em.find(Wallet, { fan: { $in: testUsers.map((user) => user.fan.id) } });
  return testUsers.map(({ fan, code }) => {
    const wallet = wallets.find((candidate) => candidate.fan.id === fan.id);
    if (!wallet) throw new Error(`test user ${fan.id} has no wallet`);
    return { id: fan.id, phone: numberOf(fan), code, wallet_address: wallet.address };
  });
}

/**
 * The test users of a sandbox client's own partner, oldest first. Those made for every partner are left out: their codes open sign-ins
 * of other partners as well.
 * @param most how many to return at most
 */
export async function listOwnTestUsers(
  { em }: Pick<Context, 'em'>,
  clientId: Id<'client'>,
  most: number,
): Promise<DescribedTestUser[]> {
  const client = await em.findOneOrFail(Client, { id: clientId, mode: 'sandbox' });
  const testUsers = await em.find(
    TestUser,
    { partner: client.partner, fan: { phone: { $ne: null } } },
    { populate: ['fan'], orderBy: { fan: 'asc' }, limit: most },
  );
  return describeTestUsers(em, testUsers);
}
