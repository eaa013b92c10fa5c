import { setTimeout as sleep } from 'node:timers/promises';
import { accountDataLength } from '@fan-api/cosign-policy/read-account';
import type { Config } from '../platform/config/config.ts';
import type { Mode } from '../platform/mode.ts';
import type { Chain, Chains } from './chains.ts';
import { feeOf, ISSUE } from './instruction/permit-batches.ts';
import { type AuthorityFault, authorityFaultOf } from './require-authority.ts';

/** An account must keep this much, or have nothing. */
const ACCOUNT_BYTES = 0;

/** Whether our transactions can land on the cluster. */
export interface Standing {
  /** Why none of our transactions can land. */
  readonly fault: AuthorityFault | undefined;
  /** Lamports that the payer can spend. */
  readonly spendable: bigint;
  /** Whether the program pays the lamports of closed accounts to our payer. */
  readonly receives: boolean;
}

/** Reads whether transactions of ours can land. Takes over an authority that we rotated to. */
export async function readStanding(chain: Chain): Promise<Standing> {
  const { gateway, payer } = chain;
  const [config, account, minimum] = await Promise.all([
    gateway.config(),
    gateway.account(payer),
    gateway.rentExemption(ACCOUNT_BYTES),
  ]);
  const fault = await authorityFaultOf(chain, config);
  const balance = account?.lamports ?? 0n;
  const spendable = balance > minimum ? balance - minimum : 0n;
  return { fault, spendable, receives: config?.payer === payer };
}

/** `low`: it lasts for fewer permits than configured. `empty`: for none. */
export const PAYER_LEVELS = ['enough', 'low', 'empty'] as const;
export type PayerLevel = (typeof PAYER_LEVELS)[number];

/** The balance of a mode's payer. */
export interface PayerState {
  /** Base58. */
  address: string;
  /** Lamports that it can spend. */
  spendable: bigint;
  /** For how many permits they last. */
  permits: bigint;
  level: PayerLevel;
}

const PATIENCE_MS = 2_000;

/** @throws DomainError `unavailable` where the cluster is unreachable */
export async function readPayer({ issuing }: Pick<Config, 'issuing'>, chain: Chain): Promise<PayerState> {
  const [{ spendable }, rent] = await Promise.all([
    readStanding(chain),
    chain.gateway.rentExemption(accountDataLength('Permit')),
  ]);
  const batch = rent * BigInt(ISSUE.most) + feeOf(0, 0);
  const permits = (spendable * BigInt(ISSUE.most)) / batch;
  const level = permits === 0n ? 'empty' : permits < issuing.lowPermits ? 'low' : 'enough';
  return { address: chain.payer, spendable, permits, level };
}

/** As `readPayer`, within two seconds; undefined where the mode has no cluster, or it does not answer. Never throws. */
export async function readPayerSoon(
  { config, chains }: { config: Pick<Config, 'issuing'>; chains: Chains },
  mode: Mode,
): Promise<PayerState | undefined> {
  const chain = chains[mode];
  if (chain === undefined) return undefined;
  return soon(readPayer(config, chain));
}

/** The result within two seconds; undefined where the work takes longer, or fails. */
export async function soon<T>(work: Promise<T>): Promise<T | undefined> {
  const ended = new AbortController();
  try {
    return await Promise.race([work, sleep(PATIENCE_MS, undefined, { signal: ended.signal })]);
  } catch {
    return undefined;
  } finally {
    ended.abort();
  }
}
