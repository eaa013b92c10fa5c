import { zstdCompressSync } from 'node:zlib';
import bs58 from 'bs58';
import { z } from 'zod';
import { RpcError } from '../rpc-error.ts';
import { Unsigned } from './method.ts';

/** How a caller wants the data of accounts. */
export const accountFields = {
  encoding: z.enum(['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed']).nullish(),
  dataSlice: z.object({ offset: Unsigned, length: Unsigned }).nullish(),
};

const AccountFields = z.object(accountFields);
export type AccountEncoding = z.infer<typeof AccountFields>;

/** The most bytes an account may have to be sent in base58, which costs the square of its length. */
const MAX_BASE58_BYTES = 128;

/** The data of an account in an encoding. @throws RpcError invalidRequest for base58 of more than 128 bytes */
export function dataJson(data: Uint8Array, encoding: NonNullable<AccountEncoding['encoding']>): unknown {
  if (encoding === 'base64' || encoding === 'jsonParsed') return [Buffer.from(data).toString('base64'), 'base64'];
  if (encoding === 'base64+zstd') return [zstdCompressSync(data).toString('base64'), 'base64+zstd'];
  if (data.length > MAX_BASE58_BYTES) {
    throw new RpcError(
      'invalidRequest',
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
    );
  }
  return encoding === 'binary' ? bs58.encode(data) : [bs58.encode(data), 'base58'];
}
