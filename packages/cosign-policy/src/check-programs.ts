import { type AllowedShape, type Call, type Candidate, COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from './candidate.ts';
import { ChainError } from './chain-error.ts';

/** System instruction 4, a little-endian u32. */
const ADVANCE_NONCE = Buffer.from([4, 0, 0, 0]);

/** Compute Budget instructions: a byte of kind, then a number. */
export const SET_COMPUTE_UNIT_LIMIT = { kind: 2, length: 5 } as const;
export const SET_COMPUTE_UNIT_PRICE = { kind: 3, length: 9 } as const;

/** A table can change between our check and the execution. */
export function checkNoLookupTables({ transaction }: Candidate): void {
  if (transaction.lookups.length > 0) {
    throw new ChainError('lookup_table', { detail: `${transaction.lookups.length} named` });
  }
}

/** With a durable nonce the signature would never expire. */
export function checkNoDurableNonce({ calls }: Candidate): void {
  for (const [at, { program, data }] of calls.entries()) {
    if (program === SYSTEM_PROGRAM && ADVANCE_NONCE.equals(data.subarray(0, ADVANCE_NONCE.length))) {
      throw new ChainError('durable_nonce', { detail: `instruction ${at} advances one` });
    }
  }
}

/** A program gets the signatures of the whole transaction, so none may be a key of ours. */
export function checkNoKeyOfOursIsProgram({ calls }: Candidate, { ourKeys }: AllowedShape): void {
  for (const [at, { program }] of calls.entries()) {
    if (ourKeys.has(program)) {
      throw new ChainError('our_key_as_program', { detail: `instruction ${at} calls ${program}` });
    }
  }
}

/** Signatures cover the whole transaction: another program's instruction would be signed too. */
export function checkProgramsAllowed({ calls }: Candidate, { programId }: AllowedShape): void {
  for (const [at, { program }] of calls.entries()) {
    if (program !== programId && program !== COMPUTE_BUDGET_PROGRAM) {
      throw new ChainError('foreign_program', { detail: `instruction ${at} calls ${program}` });
    }
  }
}

/** Only the two kinds that set a limit and a price, with their exact length. */
export function checkComputeBudgetKinds(candidate: Candidate): void {
  for (const call of computeBudgetCalls(candidate)) {
    if (!isKind(call.data, SET_COMPUTE_UNIT_LIMIT) && !isKind(call.data, SET_COMPUTE_UNIT_PRICE)) {
      const detail = `kind ${call.data[0] ?? 'missing'}, ${call.data.length} bytes`;
      throw new ChainError('compute_budget_kind', { detail });
    }
  }
}

export function checkComputeBudgetAccounts(candidate: Candidate): void {
  if (computeBudgetCalls(candidate).some(({ accountIndexes }) => accountIndexes.length > 0)) {
    throw new ChainError('compute_budget_accounts');
  }
}

export function checkComputeBudgetOnce(candidate: Candidate): void {
  const kinds = computeBudgetCalls(candidate).map(({ data }) => data[0]);
  if (new Set(kinds).size !== kinds.length) throw new ChainError('compute_budget_repeated');
}

export function checkComputeUnitLimit(candidate: Candidate, { computeUnitLimitCap }: AllowedShape): void {
  for (const { data } of computeBudgetCalls(candidate).filter((call) => isKind(call.data, SET_COMPUTE_UNIT_LIMIT))) {
    const units = Buffer.from(data).readUInt32LE(1);
    if (units > computeUnitLimitCap) {
      throw new ChainError('compute_unit_limit', { detail: `${units} units, cap ${computeUnitLimitCap}` });
    }
  }
}

export function checkComputeUnitPrice(candidate: Candidate, { computeUnitPriceCap }: AllowedShape): void {
  for (const { data } of computeBudgetCalls(candidate).filter((call) => isKind(call.data, SET_COMPUTE_UNIT_PRICE))) {
    const price = Buffer.from(data).readBigUInt64LE(1);
    if (price > computeUnitPriceCap) {
      throw new ChainError('compute_unit_price', { detail: `${price} micro-lamports, cap ${computeUnitPriceCap}` });
    }
  }
}

function computeBudgetCalls({ calls }: Candidate): readonly Call[] {
  return calls.filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM);
}

/** Whether the data of a Compute Budget instruction is of a kind, in its exact length. */
export function isKind(
  data: Uint8Array,
  { kind, length }: { readonly kind: number; readonly length: number },
): boolean {
  return data[0] === kind && data.length === length;
}
