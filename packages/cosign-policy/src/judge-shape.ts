import {
  type AllowedShape,
  addressAt,
  type Call,
  type Candidate,
  COMPUTE_BUDGET_PROGRAM,
  candidateOf,
  SYSTEM_PROGRAM,
  wrongAccountDetail,
} from './candidate.ts';
import { ChainError, type ChainErrorCode } from './chain-error.ts';
import { COMPUTE_CAPS, isKind, SET_COMPUTE_UNIT_LIMIT, SET_COMPUTE_UNIT_PRICE } from './compute-budget.ts';
import { isSigner, isWritable, type ParsedTransaction } from './parse-transaction.ts';
import { instructionDataLength, instructionNameOf, instructionOf } from './read-instruction.ts';
import type { RuleName } from './rules.ts';

/** A rule about the shape of a transaction. */
export interface ShapeRule {
  readonly rule: RuleName & ChainErrorCode;
  /** What breaks it: empty where the rule's text is enough, undefined where the rule is kept. */
  readonly find: (candidate: Candidate, shape: AllowedShape) => string | undefined;
  /** Earlier rules that must pass before this one can be judged. */
  readonly after?: readonly RuleName[];
}

const ONE_INSTRUCTION: readonly RuleName[] = ['wrong_instruction', 'repeated_instruction', 'no_instruction'];

/** The rules that must pass before the accounts of the ticket instruction can be matched with the declared ones. */
export const ACCOUNTS_READABLE: readonly RuleName[] = ['lookup_table', ...ONE_INSTRUCTION, 'account_count'];

/** System instruction 4, a little-endian u32. */
const ADVANCE_NONCE = Buffer.from([4, 0, 0, 0]);

const FEE_PAYER_INDEX = 0;

/**
 * A signature covers the whole message, so everything in it must be declared. Where an attack breaks several rules, the most specific
 * refusal comes first.
 */
export const SHAPE_RULES: readonly ShapeRule[] = [
  {
    // a table can change between our check and the execution
    rule: 'lookup_table',
    find: ({ transaction: { lookups } }) => (lookups.length > 0 ? `${lookups.length} named` : undefined),
  },
  {
    // the signature would never expire
    rule: 'durable_nonce',
    find: ({ calls }) =>
      first(calls, ({ program, data }, at) => {
        const isAdvance = program === SYSTEM_PROGRAM && ADVANCE_NONCE.equals(data.subarray(0, ADVANCE_NONCE.length));
        return isAdvance && `instruction ${at} advances one`;
      }),
  },
  {
    // a program gets the signatures of the whole transaction
    rule: 'our_key_as_program',
    find: ({ calls }, { ourKeys }) =>
      first(calls, ({ program }, at) => ourKeys.has(program) && `instruction ${at} calls ${program}`),
  },
  {
    // another program's instruction would be signed too
    rule: 'foreign_program',
    find: ({ calls }, { programId }) =>
      first(calls, ({ program }, at) => {
        return program !== programId && program !== COMPUTE_BUDGET_PROGRAM && `instruction ${at} calls ${program}`;
      }),
  },
  {
    // only the two kinds that set a limit and a price, with their exact length
    rule: 'compute_budget_kind',
    find: (candidate) =>
      first(computeBudgetCalls(candidate), ({ data }) => {
        const isKnown = isKind(data, SET_COMPUTE_UNIT_LIMIT) || isKind(data, SET_COMPUTE_UNIT_PRICE);
        return !isKnown && `kind ${data[0] ?? 'missing'}, ${data.length} bytes`;
      }),
  },
  {
    rule: 'compute_budget_accounts',
    find: (candidate) => first(computeBudgetCalls(candidate), ({ accountIndexes }) => accountIndexes.length > 0 && ''),
  },
  {
    rule: 'compute_budget_repeated',
    find: (candidate) => (isDistinct(computeBudgetCalls(candidate).map(({ data }) => data[0])) ? undefined : ''),
  },
  {
    rule: 'compute_unit_limit',
    find: (candidate) =>
      first(computeBudgetCalls(candidate), ({ data }) => {
        const units = isKind(data, SET_COMPUTE_UNIT_LIMIT) ? Buffer.from(data).readUInt32LE(1) : 0;
        const cap = COMPUTE_CAPS.computeUnitLimitCap;
        return units > cap && `${units} units, cap ${cap}`;
      }),
  },
  {
    rule: 'compute_unit_price',
    find: (candidate) =>
      first(computeBudgetCalls(candidate), ({ data }) => {
        const price = isKind(data, SET_COMPUTE_UNIT_PRICE) ? Buffer.from(data).readBigUInt64LE(1) : 0n;
        const cap = COMPUTE_CAPS.computeUnitPriceCap;
        return price > cap && `${price} micro-lamports, cap ${cap}`;
      }),
  },
  {
    // every call of our program, not only the first
    rule: 'wrong_instruction',
    find: ({ calls }, { programId, instruction }) =>
      first(calls, ({ program, data }, at) => {
        const name = instructionNameOf(data) ?? 'an unknown instruction';
        return program === programId && name !== instruction && `instruction ${at} is ${name}, not ${instruction}`;
      }),
  },
  {
    rule: 'repeated_instruction',
    find: (candidate, shape) => {
      const { length } = ticketCalls(candidate, shape);
      return length > 1 ? `${length} of ${shape.instruction}` : undefined;
    },
  },
  {
    rule: 'no_instruction',
    find: (candidate, shape) => {
      return ticketCalls(candidate, shape).length === 0 ? `${shape.instruction} is missing` : undefined;
    },
  },
  {
    rule: 'data_length',
    after: ONE_INSTRUCTION,
    find: (candidate, shape) => {
      const [{ data }, expected] = [ticketCall(candidate, shape), instructionDataLength(shape.instruction)];
      return data.length === expected ? undefined : `${data.length} bytes, not ${expected}`;
    },
  },
  {
    rule: 'account_count',
    after: ONE_INSTRUCTION,
    find: (candidate, shape) => {
      const { length } = ticketCall(candidate, shape).accountIndexes;
      const expected = instructionOf(shape.instruction).accounts.length;
      return length === expected ? undefined : `${length} accounts, not ${expected}`;
    },
  },
  {
    // the fan's wallet agreed to a listing, not to pay lamports
    rule: 'our_key_pays',
    find: ({ feePayer }, { ourKeys }) => (ourKeys.has(feePayer) ? feePayer : undefined),
  },
  {
    rule: 'wrong_account',
    after: ACCOUNTS_READABLE,
    find: (candidate, shape) =>
      first(filledSlots(candidate, shape), ({ name, address }) => {
        const known = name === shape.comparedByCaller ? undefined : shape.knownAccounts.get(name);
        return known?.includes(address) === false && wrongAccountDetail(name, address, known[0] ?? 'any');
      }),
  },
  {
    // in a slot that the partner chooses, a key of ours would get an undeclared role
    rule: 'our_key_misplaced',
    after: ACCOUNTS_READABLE,
    find: (candidate, { ourKeys, knownAccounts, ...shape }) =>
      first(filledSlots(candidate, shape), ({ name, address }) => {
        return !knownAccounts.has(name) && ourKeys.has(address) && `${name} is ${address}`;
      }),
  },
  {
    // an account in two roles would have the rights of both
    rule: 'repeated_account',
    after: ACCOUNTS_READABLE,
    find: (candidate, shape) => (isDistinct([...ticketCall(candidate, shape).accountIndexes]) ? undefined : ''),
  },
  {
    rule: 'foreign_signer',
    after: ACCOUNTS_READABLE,
    find: (candidate, shape) => {
      const slots = filledSlots(candidate, shape).filter(({ signer }) => signer);
      const declared = new Set([FEE_PAYER_INDEX, ...slots.map(({ index }) => index)]);
      return candidate.addresses.find((_, at) => isSigner(candidate.transaction, at) && !declared.has(at));
    },
  },
  {
    // flags belong to the whole message, and so apply to every program that it calls
    rule: 'wrong_flags',
    after: ACCOUNTS_READABLE,
    find: (candidate, shape) =>
      first(filledSlots(candidate, shape), ({ name, signer, writable, index }) => {
        const pays = index === FEE_PAYER_INDEX && name === shape.payingSlot;
        return wrongFlags(candidate, name, index, flagsText(pays || signer, pays || writable));
      }),
  },
  {
    rule: 'wrong_flags',
    find: (candidate) =>
      first(candidate.transaction.instructions, ({ programIndex }, at) => {
        return wrongFlags(candidate, `the program of instruction ${at}`, programIndex, flagsText(false, false));
      }),
  },
  {
    rule: 'unused_account',
    find: ({ transaction: { instructions }, addresses }) => {
      const indexes = instructions.flatMap(({ programIndex, accountIndexes }) => [programIndex, ...accountIndexes]);
      const used = new Set([FEE_PAYER_INDEX, ...indexes]);
      return addresses.find((_, index) => !used.has(index));
    },
  },
];

/** The first text that `find` returns for an item. */
function first<Item>(items: readonly Item[], find: (item: Item, at: number) => string | false): string | undefined {
  for (const [at, item] of items.entries()) {
    const found = find(item, at);
    if (found !== false) return found;
  }
  return undefined;
}

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function computeBudgetCalls({ calls }: Candidate): Call[] {
  return calls.filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM);
}

type TicketShape = Pick<AllowedShape, 'programId' | 'instruction'>;

function ticketCalls({ calls }: Candidate, { programId }: TicketShape): Call[] {
  return calls.filter(({ program }) => program === programId);
}

/** The ticket instruction of a candidate that has one. */
function ticketCall(candidate: Candidate, shape: TicketShape): Call {
  const [call] = ticketCalls(candidate, shape);
  if (call === undefined) throw new RangeError(`${shape.instruction} is missing`);
  return call;
}

/** The accounts of the ticket instruction with their declarations. */
function filledSlots(candidate: Candidate, shape: TicketShape) {
  const declared = instructionOf(shape.instruction).accounts;
  return Array.from(ticketCall(candidate, shape).accountIndexes, (index, at) => ({
    name: declared[at]?.name ?? `account ${at}`,
    signer: declared[at]?.signer ?? false,
    writable: declared[at]?.writable ?? false,
    index,
    address: addressAt(candidate.addresses, index),
  }));
}

function wrongFlags({ transaction }: Candidate, what: string, index: number, expected: string): string | false {
  const seen = flagsText(isSigner(transaction, index), isWritable(transaction, index));
  return seen !== expected && `${what} is ${seen}, not ${expected}`;
}

function flagsText(signer: boolean, writable: boolean): string {
  return `${writable ? 'writable' : 'readonly'}${signer ? ' signer' : ''}`;
}

/** A transaction of the allowed shape. */
export interface ShapedTransaction {
  readonly transaction: ParsedTransaction;
  readonly feePayer: string;
  /** Every account key of the transaction in base58. */
  readonly addresses: readonly string[];
  /** The data of the ticket instruction, discriminator included. */
  readonly data: Uint8Array;
  /** The base58 address in a slot of the ticket instruction. */
  readonly accountIn: (slot: string) => string;
  /** The index of an address, and so of its signature; -1 where it is absent. */
  readonly indexOf: (address: string) => number;
}

/** Judges a parsed transaction, but not its signatures, against a shape. @throws ChainError of the first broken rule */
export function judgeShape(transaction: ParsedTransaction, shape: AllowedShape): ShapedTransaction {
  const candidate = candidateOf(transaction);
  for (const rule of SHAPE_RULES) checkRule(rule.rule, rule.find(candidate, shape));
  return shapedOf(candidate, shape);
}

/** @param found what breaks the rule, if anything does @throws ChainError of the rule */
export function checkRule(rule: ChainErrorCode, found: string | undefined): void {
  if (found !== undefined) throw new ChainError(rule, found === '' ? {} : { detail: found });
}

/** The shaped transaction of a candidate whose ticket instruction names its declared accounts. */
export function shapedOf(candidate: Candidate, shape: AllowedShape): ShapedTransaction {
  const accounts = new Map(filledSlots(candidate, shape).map(({ name, address }) => [name, address]));
  return {
    transaction: candidate.transaction,
    feePayer: candidate.feePayer,
    addresses: candidate.addresses,
    data: ticketCall(candidate, shape).data,
    accountIn: (slot) => {
      const address = accounts.get(slot);
      if (address === undefined) throw new RangeError(`${shape.instruction} has no account ${slot}`);
      return address;
    },
    indexOf: (address) => candidate.addresses.indexOf(address),
  };
}
