import { z } from 'zod';
import { airdrop, MAX_AIRDROP } from '../faucet.ts';
import { base58Of, type Key, keyAt } from '../key.ts';
import { type Landing, type Ledger, landTransaction, type Simulation, signatureOf, simulate } from '../ledger.ts';
import { RpcError } from '../rpc-error.ts';
import { lastValidHeight } from '../slot-clock.ts';
import { describeError, type TransactionErrorJson } from '../transaction-error.ts';
import { transactionFee } from '../transaction-fee.ts';
import { u64 } from '../u64.ts';
import { accountAt } from '../vm.ts';
import { readTransaction, type WireTransaction } from '../wire-transaction.ts';
import { type AccountEncoding, accountFields, accountJson } from './account-json.ts';
import { Address, ContextConfig, contextFields, parseParams, type RpcMethod, slotFor, withContext } from './method.ts';
import { decodeTransaction } from './transaction-bytes.ts';
import { innerInstructionsJson, returnDataJson } from './transaction-json.ts';

const Encoding = z.enum(['base58', 'base64']).nullish();

const SendParams = z.tuple([
  z.string(),
  z
    .object({
      encoding: Encoding,
      skipPreflight: z.boolean().nullish(),
      preflightCommitment: contextFields.commitment,
      maxRetries: z.int().nonnegative().nullish(),
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

/** Methods that execute transactions. `onLanded` hears of each one that landed, before its sender is answered. */
export function transactionMethods(onLanded: (landing: Landing) => void): Record<string, RpcMethod> {
  return {
    /**
     * Answers the signature. As on a cluster, preflight is what tells a sender of a refusal: with `skipPreflight` a
     * transaction that cannot land is dropped without a word, and its status stays unknown.
     */
    sendTransaction(ledger, params) {
      const [text, config] = parseParams(SendParams, params);
      const transaction = readTransaction(decodeTransaction(text, config?.encoding ?? 'base58'));
      slotFor(ledger, config);
      const checked = !config?.skipPreflight;
      if (checked) preflight(ledger, transaction);
      onLanded(landTransaction(ledger, transaction, checked));
      return signatureOf(transaction);
    },

    /** The faucet serves whoever runs a local network: partners' fee payers, and the service's own. */
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
      const transaction = readTransaction(decodeTransaction(text, config?.encoding ?? 'base58'));
      const simulation = simulate(ledger, transaction, {
        verifySignatures: config?.sigVerify ?? false,
        replaceBlockhash: config?.replaceRecentBlockhash ?? false,
      });
      if (config?.sigVerify) refuseBadSignature(simulation);
      return withContext(ledger, config, () => simulationJson(ledger, transaction, simulation, config));
    },
  };
}

/** @throws RpcError signatureVerificationFailure, or preflightFailure with the simulation as its data */
function preflight(ledger: Ledger, transaction: WireTransaction): void {
  const simulation = simulate(ledger, transaction, { verifySignatures: true, replaceBlockhash: false });
  refuseBadSignature(simulation);
  if (simulation.err === null) return;
  const message = `Transaction simulation failed: ${describeError(simulation.err)}`;
  throw new RpcError('preflightFailure', message, simulationJson(ledger, transaction, simulation, undefined));
}

function refuseBadSignature({ err }: Simulation): void {
  if (err !== 'SignatureFailure') return;
  throw new RpcError('signatureVerificationFailure', 'Transaction signature verification failure');
}

function simulationJson(
  ledger: Ledger,
  { message }: WireTransaction,
  { err, execution, accounts, after }: Simulation,
  config: SimulateConfig,
): unknown {
  const slot = ledger.clock.slot();
  const replacement = {
    blockhash: base58Of(ledger.clock.blockhashAt(slot)),
    lastValidBlockHeight: lastValidHeight(slot),
  };
  return {
    err,
    logs: execution.logs,
    accounts: config?.accounts ? accountsAfter(ledger, err, after, config.accounts) : null,
    unitsConsumed: execution.computeUnits,
    returnData: returnDataJson(execution.returnData),
    innerInstructions: config?.innerInstructions ? innerInstructionsJson(execution.inner, accounts.keys) : null,
    fee: u64(transactionFee(message)),
    replacementBlockhash: config?.replaceRecentBlockhash ? replacement : null,
  };
}

/** The accounts a simulation was asked to show, as it left them; all null when it failed. */
function accountsAfter(
  { vm }: Ledger,
  err: TransactionErrorJson | null,
  after: Simulation['after'],
  { addresses, encoding }: { addresses: Key[]; encoding?: AccountEncoding['encoding'] },
): unknown {
  const changed = new Map(after.map((entry) => [keyAt(entry.address), entry.account()]));
  return addresses.map((address) => {
    const account = err === null ? (changed.get(address) ?? accountAt(vm, address)) : undefined;
    return account && account.lamports() > 0n ? accountJson(account, { encoding: encoding ?? 'base64' }) : null;
  });
}
