import type { JSONWebKeySet } from 'jose';
import { jsonOf } from '../calls/call.ts';
import { send } from '../calls/send.ts';
import type { PlaygroundConfig } from '../config.ts';
import { metadataOf } from '../partner.ts';
import { decodeToken } from './decode-token.ts';

let known: Promise<JSONWebKeySet> | undefined;

/** The issuer's keys: read once, and once more for a token of a key that is not among them. */
export async function publishedKeys(config: PlaygroundConfig, token: string): Promise<JSONWebKeySet> {
  const kid = decodeToken(token)?.header.kid;
  known ??= readKeys(config);
  const keys = await known.catch(() => undefined);
  if (keys?.keys.some((key) => key.kid === kid)) return keys;
  known = readKeys(config);
  return known;
}

async function readKeys(config: PlaygroundConfig): Promise<JSONWebKeySet> {
  const { jwks_uri } = await metadataOf(config);
  const { answer } = await send('Published keys', { method: 'GET', url: jwks_uri, headers: {} });
  if (answer.status !== 200) throw new Error(`${jwks_uri} answered ${answer.status}.`);
  return jsonOf(answer) as unknown as JSONWebKeySet;
}
