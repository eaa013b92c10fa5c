import { z } from 'zod';
import { accountAtSlot } from '../bank.ts';
import { airdrop, MAX_AIRDROP } from '../faucet.ts';
import { base58Of, type Key, keyAt } from '../key.ts';
import { type Landing, type Ledger, landTransaction, signatureOf } from '../ledger.ts';
import { RpcError } from '../rpc-error.ts';
import { type Simulation, simulate } from '../simulate.ts';
import { lastValidHeight } from '../slot-clock.ts';
import { describeError, type TransactionErrorJson } from '../transaction-error.ts';
import { transactionFee } from '../transaction-fee.ts';
import { u64 } from '../u64.ts';
import { readTransaction, type WireTransaction } from '../wire-transaction.ts';
import { type AccountEncoding, accountFields } from './account-data.ts';
import { accountJson } from './account-json.ts';
import {
  Address,
  ContextConfig,
  contextFields,
  parseParams,
  type RpcMethod,
  slotFor,
  Unsigned,
  withContext,
} from './method.ts';
import { decodeTransaction } from './transaction-bytes.ts';
import { innerInstructionsJson, returnDataJson } from './transaction-json.ts';

const Encoding = z.enum(['base58', 'base64']).nullish();

const SendParams = z.tuple([
  z.string(),
  z
    .object({
      encoding: Encoding,
      skipPreflight: z.boolean().nullish(),
      preflightCommitment: z.enum(['processed', 'confirmed', 'finalized']).nullish(),
      maxRetries: Unsigned.nullish(),
      minContextSlot: contextFields.minContextSlot,
    })
    .nullish()
    .optional(),
]);

const AirdropParams = z.tuple([Address, z.int().positive().max(Number(MAX_AIRDROP)), ContextConfig.optional()]);

const SimulateParams = z.tuple([
  z.string(),
  z
    .object({
      ...contextFields,
      encoding: Encoding,
      sigVerify: z.boolean().nullish(),
      replaceRecentBlockhash: z.boolean().nullish(),
      innerInstructions: z.boolean().nullish(),
      accounts: z.object({ addresses: z.array(Address), encoding: accountFields.encoding }).nullish(),
    })
    .nullish()
    .optional(),
]);
type SimulateConfig = z.infer<typeof SimulateParams>[1];

/** Methods that execute transactions. `onLanded` is called for each one that landed, before its sender is answered. */
export function transactionMethods(onLanded: (landing: Landing) => void): Record<string, RpcMethod> {
  return {
    /**
     * Answers the signature. As on a cluster, only preflight reports a refusal: with `skipPreflight` a transaction that
     * cannot land is dropped silently, and its status stays unknown.
     */
    sendTransaction(ledger, params) {
      const [text, config] = parseParams(SendParams, params);
      const transaction = readTransaction(decodeTransaction(text, config?.encoding ?? 'base58'));
      const checked = !config?.skipPreflight;
      const commitment = checked ? (config?.preflightCommitment ?? 'finalized') : 'processed';
      const slot = slotFor(ledger, { commitment, minContextSlot: config?.minContextSlot });
      if (checked) preflight(ledger, transaction, slot);
      onLanded(landTransaction(ledger, transaction, checked));
      return signatureOf(transaction);
    },

    /** The faucet serves everyone on a local network: partners' fee payers, and the service's own. */
    requestAirdrop(ledger, params) {
      const [to, lamports] = parseParams(AirdropParams, params);
      const landing = airdrop(ledger, to, BigInt(lamports));
      onLanded(landing);
      if ('landed' in landing && landing.landed.err === null) return landing.landed.signature;
      const err = 'refused' in landing ? landing.refused : (landing.landed.err ?? '');
      throw new RpcError('internalError', `airdrop request failed: ${describeError(err)}`);
    },

    simulateTransaction(ledger, params) {
      const [text, config] = parseParams(SimulateParams, params);
      if (config?.sigVerify && config.replaceRecentBlockhash) {
        throw new RpcError('invalidParams', 'sigVerify may not be used with replaceRecentBlockhash');
      }
      if (config?.accounts?.encoding === 'base58' || config?.accounts?.encoding === 'binary') {
        throw new RpcError('invalidParams', 'base58 encoding not supported');
      }
      const transaction = readTransaction(decodeTransaction(text, config?.encoding ?? 'base58'));
      return withContext(ledger, config, (slot) => {
        const simulation = simulate(ledger, transaction, {
          slot,
          verifySignatures: config?.sigVerify ?? false,
          replaceBlockhash: config?.replaceRecentBlockhash ?? false,
        });
        if (config?.sigVerify) refuseBadSignature(simulation);
        return simulationJson(ledger, slot, transaction, simulation, config);
      });
    },
  };
}

/** @throws RpcError signatureVerificationFailure, or preflightFailure with the simulation as its data */
function preflight(ledger: Ledger, transaction: WireTransaction, slot: number): void {
  const simulation = simulate(ledger, transaction, { slot, verifySignatures: true, replaceBlockhash: false });
  refuseBadSignature(simulation);
  if (simulation.err === null) return;
  const message = `Transaction simulation failed: ${describeError(simulation.err)}`;
  throw new RpcError('preflightFailure', message, simulationJson(ledger, slot, transaction, simulation, undefined));
}

function refuseBadSignature({ err }: Simulation): void {
  if (err !== 'SignatureFailure') return;
  throw new RpcError('signatureVerificationFailure', 'Transaction signature verification failure');
}

function simulationJson(
  ledger: Ledger,
  slot: number,
  { message }: WireTransaction,
  { err, execution, accounts, after }: Simulation,
  config: SimulateConfig,
): unknown {
  const replacement = {
    blockhash: base58Of(ledger.clock.blockhashAt(slot)),
    lastValidBlockHeight: lastValidHeight(slot),
  };
  return {
    err,
    logs: execution.logs,
    accounts: config?.accounts ? accountsAfter(ledger, slot, err, after, config.accounts) : null,
    unitsConsumed: execution.computeUnits,
    returnData: returnDataJson(execution.returnData),
    innerInstructions: config?.innerInstructions ? innerInstructionsJson(execution.inner, accounts.keys) : null,
    fee: u64(transactionFee(message)),
    replacementBlockhash: config?.replaceRecentBlockhash ? replacement : null,
  };
}

/** The accounts a simulation was asked to show, as it left them; all null when it failed. */
function accountsAfter(
  ledger: Ledger,
  slot: number,
  err: TransactionErrorJson | null,
  after: Simulation['after'],
  { addresses, encoding }: { addresses: Key[]; encoding?: AccountEncoding['encoding'] },
): unknown {
  const changed = new Map(after.map((entry) => [keyAt(entry.address), entry.account()]));
  return addresses.map((address) => {
    const find = (key: Key) => changed.get(key) ?? accountAtSlot(ledger, key, slot);
    const account = err === null ? find(address) : undefined;
    return account && account.lamports() > 0n ? accountJson(account, { encoding: encoding ?? 'base64' }, find) : null;
  });
}
