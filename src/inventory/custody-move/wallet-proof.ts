import { decodeAddress } from '@fan-api/solana-wire/base58';
import { SIGNATURE_LENGTH, verifyEd25519 } from '@fan-api/solana-wire/ed25519';
import bs58 from 'bs58';
import { DomainError } from '../../platform/errors.ts';

/** Seconds for which a statement may be signed. */
const STATEMENT_LIFETIME = 7 * 24 * 3600;
/** Clocks may differ. */
const AHEAD_SECONDS = 300;

/** The statement that a person signs with their own wallet, to get a ticket there. */
export interface WalletStatement {
  /** The ticket's identifier. */
  ticket: string;
  /** The wallet, base58. */
  destination: string;
  /** The moment at which the statement was made. */
  at: Date;
  /** The origin of this service. */
  service: string;
}

/** The text that the wallet signs: printable ASCII in one line, which the Solana CLI, browser wallets and hardware wallets all show. */
export function walletStatement({ ticket, destination, at, service }: WalletStatement): string {
  const date = `${at.toISOString().slice(0, 19)}Z`;
  return `I hold the key of the wallet ${destination} and want the ticket ${ticket} of ${service} there. ${date}`;
}

/**
 * Checks that the key of a wallet exists and somebody holds it: a ticket in a wallet without a key is lost for good.
 * @param given `statement` as it was signed, `signature` of its 64 bytes in base58 or base64
 * @param now null where its age was checked before
 * @throws DomainError `invalid_request`
 */
export async function checkWalletProof(
  expected: Omit<WalletStatement, 'at'>,
  given: { statement: string; signature: string },
  now: Date | null,
): Promise<void> {
  const { statement } = given;
  const at = new Date(statement.slice(-20));
  if (Number.isNaN(at.getTime()) || walletStatement({ ...expected, at }) !== statement) {
    throw refused('statement is not the one for this ticket and this wallet. Copy it again.');
  }
  const age = now === null ? 0 : (now.getTime() - at.getTime()) / 1000;
  if (age > STATEMENT_LIFETIME || age < -AHEAD_SECONDS)
    throw refused('statement is too old. Make a new one and have it signed.');
  const key = decodeAddress(expected.destination);
  const signature = signatureBytes(given.signature);
  if (!key || !signature) throw refused('signature must be 64 bytes in base58 or base64.');
  const text = Buffer.from(statement);
  for (const message of [text, offchainMessage(text)]) {
    if (await verifyEd25519(key, message, signature)) return;
  }
  throw refused('signature is not that of this wallet over this statement.');
}

/** As `solana sign-offchain-message` and hardware wallets sign a text: version 0, restricted ASCII. */
function offchainMessage(text: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  return Buffer.concat([Buffer.from('\xffsolana offchain', 'latin1'), Buffer.from([0, 0]), length, text]);
}

function signatureBytes(text: string): Uint8Array | undefined {
  const given = text.trim().slice(0, 200);
  const base58 = bs58.decodeUnsafe(given);
  if (base58?.length === SIGNATURE_LENGTH) return base58;
  const base64 = Buffer.from(given, 'base64');
  return base64.length === SIGNATURE_LENGTH && base64.toString('base64') === given ? base64 : undefined;
}

function refused(what: string): DomainError {
  return new DomainError('invalid_request', `The ${what}`);
}
