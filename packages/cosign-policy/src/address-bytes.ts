import { decodeAddress } from '@fan-api/solana-wire/base58';
import { ChainError } from './chain-error.ts';

/**
 * The 32 bytes of a base58 address, cached: do not write to them.
 *
 * @throws ChainError `bad_address` for anything but 32 bytes in base58
 */
export function addressBytes(address: string): Uint8Array {
  const bytes = decodeAddress(address);
  if (bytes === undefined) throw new ChainError('bad_address', { detail: address.slice(0, 44) });
  return bytes;
}
