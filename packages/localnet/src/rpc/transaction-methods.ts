import { MAX_TRANSACTION_BYTES } from '@fan-api/solana-wire/parse-transaction';
import bs58 from 'bs58';
import { z } from 'zod';
import { airdrop, MAX_AIRDROP } from '../faucet.ts';
import { base58Of } from '../key.ts';
import { type Landing, type Ledger, landTransaction, signatureOf } from '../ledger.ts';
import { RpcError } from '../rpc-error.ts';
import { type Simulation, simulate } from '../simulate.ts';
import { lastValidHeight } from '../slot-clock.ts';
import { describeError } from '../transaction-error.ts';
import { transactionFee } from '../transaction-fee.ts';
import { u64 } from '../u64.ts';
import { readTransaction, type WireTransaction } from '../wire-transaction.ts';
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
      accounts: z.null('this network does not show accounts of a simulation').optional(),
    })
    .nullish()
    .optional(),
]);
type SimulateConfig = z.infer<typeof SimulateParams>[1];

/** Methods that execute transactions. `onLanded` gets the signature of each one that landed, before its sender is answered. */
export function transactionMethods(onLanded: (signature: string) => void): Record<string, RpcMethod> {
  const notify = (landing: Landing) => 'landed' in landing && onLanded(landing.landed.signature);
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
      notify(landTransaction(ledger, transaction, checked));
      return signatureOf(transaction);
    },

    /** The faucet serves everyone on a local network: partners' fee payers, and the service's own. */
    requestAirdrop(ledger, params) {
      const [to, lamports] = parseParams(AirdropParams, params);
      const landing = airdrop(ledger, to, BigInt(lamports));
      notify(landing);
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
  { err, execution }: Simulation,
  config: SimulateConfig,
): unknown {
  const replacement = {
    blockhash: base58Of(ledger.clock.blockhashAt(slot)),
    lastValidBlockHeight: lastValidHeight(slot),
  };
  return {
    err,
    logs: execution.logs,
    accounts: null,
    unitsConsumed: execution.computeUnits,
    returnData: returnDataJson(execution.returnData),
    innerInstructions: config?.innerInstructions ? innerInstructionsJson(execution.inner) : null,
    fee: u64(transactionFee(message)),
    replacementBlockhash: config?.replaceRecentBlockhash ? replacement : null,
  };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The longest text of the largest transaction. Decoding base58 costs the square of the length. */
const LONGEST = { base58: 1683, base64: 1644 };

/** Bytes of a transaction as a client sent them. @throws RpcError invalidParams */
function decodeTransaction(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  const longest = LONGEST[encoding];
  if (text.length > longest) {
    const limit = `max: encoded/raw ${longest}/${MAX_TRANSACTION_BYTES}`;
    throw new RpcError('invalidParams', `${encoding} encoded transaction too large: ${text.length} bytes (${limit})`);
  }
  const isBase64 = encoding === 'base64' && BASE64.test(text);
  const bytes = encoding === 'base58' ? bs58.decodeUnsafe(text) : isBase64 ? Buffer.from(text, 'base64') : undefined;
  if (!bytes) throw new RpcError('invalidParams', `invalid ${encoding} encoding of the transaction`);
  return bytes;
}
