import { expect } from 'vitest';
import type { ChainApp } from './chain-app.ts';

/** The instructions of the Compute Budget program, which come before the one that says how much is left. */
const COMPUTE_BUDGET_UNITS = 300;

/** A transaction has asked for the compute units that it took, and a fifth more. */
export async function expectMeasured({ connection }: ChainApp, signature: string): Promise<void> {
  const transaction = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  const { logMessages, computeUnitsConsumed } = transaction?.meta ?? {};
  const [, left] = /consumed \d+ of (\d+) compute units/.exec(logMessages?.join('\n') ?? '') ?? [];
  expect(Number(left) + COMPUTE_BUDGET_UNITS).toBe(Math.ceil((computeUnitsConsumed ?? 0) * 1.2));
}
