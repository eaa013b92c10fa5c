import type { PolicyAction } from '@fan-api/cosign-policy/actions';
import { lint } from '@fan-api/cosign-policy/lint';
import { isStateRule, RULES, refusalOf } from '@fan-api/cosign-policy/rules';
import { encodeBase58 } from '@fan-api/solana-wire/base58';
import { signEd25519Sync } from '@fan-api/solana-wire/ed25519';
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { computeLimit, computePrice, systemTransfer } from '../../../src/chain/transaction/build-transaction.ts';
import { moreTickets, type TestTicket } from '../../../support/chain-app.ts';
import { chainStage } from '../../../support/chain-stage.ts';
import {
  build,
  cancelInstruction,
  FIRST_SALE,
  listedTickets,
  listInstruction,
  postFan,
  randomAddress,
  transferInstruction,
} from '../../../support/ticket-transactions.ts';
import { prefer } from './explain-stage.ts';

/**
 * The policy is published, explained and applied in one order: the code of a refusal is that of the first rule that an explanation finds
 * broken, and the linter finds the same wherever it can judge. Requests are honest ones, changed by chance.
 */
const { app, market, seller, buyer } = await chainStage();
const SEED = Number(process.env.SEED ?? 43);
const MUTATIONS = 130;

/** Numbers by chance, the same for a seed. */
function chances(seed: number) {
  let state = seed >>> 0;
  const below = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  /** The first of them in four of five cases. */
  const mostly = <Item>(usual: Item, ...others: Item[]): Item => (below(5) > 0 ? usual : oneOf(others));
  return { below, oneOf, mostly };
}
type Chances = ReturnType<typeof chances>;

const [held, foreign] = [await moreTickets(app, seller, { count: 1 }), await moreTickets(app, buyer, { count: 1 })];
const listed = await listedTickets(app, market, seller, 3);
const first = ([ticket]: TestTicket[]): TestTicket => {
  if (!ticket) throw new Error('a ticket was made');
  return ticket;
};

/** Addresses that matter to some rule. */
const ADDRESSES: readonly string[] = [
  seller.wallet_address,
  buyer.wallet_address,
  app.chain.authority,
  app.chain.payer,
  app.chain.programId,
  market.address,
  first(held).permit,
  first(listed).permit,
  first(foreign).permit,
  '11111111111111111111111111111111',
  'SysvarC1ock11111111111111111111111111111111',
  randomAddress(),
];

function instructionOf(action: PolicyAction, { oneOf, below, mostly }: Chances): TransactionInstruction {
  const ticket = oneOf([first(held), first(listed), first(foreign), { ...first(held), permit: randomAddress() }]);
  const owner = mostly(seller.wallet_address, buyer.wallet_address, randomAddress());
  const marketplace = mostly(market.address, oneOf(ADDRESSES));
  if (action === 'list') return listInstruction(app, ticket, owner, marketplace, BigInt(below(6)));
  if (action === 'cancel') return cancelInstruction(app, ticket, owner);
  const terms = mostly(FIRST_SALE, { listing: 0n, price: 0n }, { listing: 2n, price: 1n }, { listing: 1n, price: 1n });
  return transferInstruction(app, ticket, market.address, mostly(buyer.wallet_address, owner), terms);
}

/** Changes nothing, or one thing, of an instruction. */
function changed({ programId, keys, data }: TransactionInstruction, { oneOf, below }: Chances): TransactionInstruction {
  const made = { programId, keys: keys.map((key) => ({ ...key })), data };
  const [one, other] = [made.keys[below(keys.length)], made.keys[below(keys.length)]];
  if (one === undefined || other === undefined) throw new Error('an instruction has accounts');
  const changes: (() => unknown)[] = [
    () => Object.assign(one, { pubkey: new PublicKey(oneOf(ADDRESSES)) }),
    () => Object.assign(one, { isWritable: !one.isWritable }),
    () => Object.assign(one, { isSigner: !one.isSigner }),
    () => ([one.pubkey, other.pubkey] = [other.pubkey, one.pubkey]),
    () => made.keys.pop(),
    () => made.keys.push({ ...one }),
    () => Object.assign(made, { data: data.subarray(0, -1) }),
    () => Object.assign(made, { data: Buffer.concat([data, Buffer.alloc(1)]) }),
    () => Object.assign(made, { programId: new PublicKey(oneOf(ADDRESSES)) }),
  ];
  changes[below(2 * changes.length)]?.();
  return new TransactionInstruction(made);
}

/** Puts the marketplace's signature into its slot, where it has one. */
function sign(bytes: Buffer): void {
  const signers = bytes[0] ?? 0;
  const message = 1 + 64 * signers;
  const slot = Array.from({ length: signers }, (_, at) => at).find((at) =>
    bytes.subarray(message + 4 + 32 * at, message + 36 + 32 * at).equals(market.wallet.publicKey.toBuffer()),
  );
  if (slot === undefined) return;
  bytes.set(signEd25519Sync(market.wallet.secretKey.subarray(0, 32), bytes.subarray(message)), 1 + 64 * slot);
}

/** One transaction as a text. */
async function mutated(action: PolicyAction, chance: Chances): Promise<string> {
  const { oneOf, below, mostly } = chance;
  const instruction = changed(instructionOf(action, chance), chance);
  const budget = mostly<TransactionInstruction[]>(
    [],
    [computeLimit(200_000)],
    [computeLimit(200_000), computePrice(5n)],
    [computeLimit(4_000_000)],
    [computePrice(10n ** 15n)],
    [computeLimit(1), computeLimit(2)],
    [systemTransfer(market.wallet.publicKey)],
    [instruction],
  );
  const feePayer = mostly<string | undefined>(undefined, oneOf(ADDRESSES));
  const blockhash = mostly<string | undefined>(undefined, undefined, randomAddress());
  const bytes = await build(app, [instruction], {
    payer: market.wallet,
    before: budget,
    signers: [],
    ...(feePayer !== undefined && { feePayer }),
    ...(blockhash !== undefined && { blockhash }),
  });
  sign(bytes);
  if (below(8) === 0) {
    bytes[below(bytes.length)] = below(256);
    // signed again, so that only the change is wrong
    if (oneOf([true, false])) sign(bytes);
  }
  const text = bytes.toString('hex');
  const other = oneOf([
    bytes.toString('base64'),
    encodeBase58(bytes),
    '',
    'zz',
    `${text}0`,
    text.slice(0, 2 * below(bytes.length)),
    'a'.repeat(9_000),
  ]);
  return below(10) > 0 ? text : other;
}

const codeOf = (rule: string | undefined) => RULES.find((each) => each.rule === rule);

it.each(['list', 'cancel', 'claim'] as const)(
  `refusals of %s have the code of the first rule that fails (SEED=${SEED})`,
  { timeout: 120_000 },
  async (action) => {
    const chance = chances(SEED + action.length);
    const user = action === 'claim' ? buyer : seller;
    const token = (await user.tokens()).access_token;
    const [path, bodyOf] =
      action === 'claim'
        ? (['/claims/execute', (texts: string[]) => ({ tickets: texts.map((tx) => ({ tx })) })] as const)
        : (['/authorizations', (texts: string[]) => ({ type: action, transactions: texts })] as const);
    const wrong: unknown[] = [];
    const seen = new Map<string, number>();
    for (let at = 0; at < MUTATIONS; at += 1) {
      const texts = await Promise.all(
        Array.from({ length: chance.oneOf([1, 1, 1, 2]) }, () => mutated(action, chance)),
      );
      const explained = await prefer(app, path, token, bodyOf(texts));
      const transactions = explained.body.transactions as {
        accepted: boolean;
        rules: { rule: string; passed: boolean; message: string }[];
      }[];
      if (explained.status !== 200) {
        wrong.push({ at, explained: explained.body });
        continue;
      }
      // a linter may know less
      const linted = await lint(texts, {
        action,
        programId: app.chain.programId,
        wallet: chance.mostly<string | undefined>(user.wallet_address, undefined),
        authorities: chance.mostly<string[] | undefined>([app.chain.authority], undefined),
        rpcUrl: chance.mostly<string | undefined>(app.network.url, undefined),
      });
      const answer = await postFan(app, path, token, bodyOf(texts));
      const message = String(answer.body.message ?? '');
      const [, place] = /^(?:transactions|tickets)\[(\d+)\]/.exec(message) ?? [];
      const refused = transactions[Number(place ?? 0)];
      const broken = refused?.rules.find((each) => !each.passed && !each.message.startsWith('not checked'))?.rule;
      const code = answer.headers.get('x-error-code');
      seen.set(broken ?? 'accepted', (seen.get(broken ?? 'accepted') ?? 0) + 1);
      const isAccepted = transactions.every(({ accepted }) => accepted);
      const rule = codeOf(broken);
      // not decided is no refusal
      if (answer.status === 503 && rule?.code !== 'unavailable') continue;
      const agrees = isAccepted
        ? answer.status === 200
        : code === rule?.code && (!rule || !isStateRule(rule.rule) || message.includes(refusalOf(rule.rule)));
      if (!agrees) wrong.push({ at, texts, status: answer.status, code, message, broken });
      for (const [index, { rules }] of linted.entries()) {
        for (const { rule: name, outcome } of rules) {
          const own = transactions[index]?.rules.find((each) => each.rule === name);
          if (outcome === 'unchecked' || own?.message.startsWith('not checked')) continue;
          if ((outcome === 'passed') !== own?.passed) wrong.push({ at, lint: name, outcome, explain: own });
        }
      }
    }
    // the rules of the state, too
    expect(seen.size).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
  },
);
