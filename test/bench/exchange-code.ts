import { constants, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { importPKCS8, SignJWT } from 'jose';
import type { ServiceContext } from '../../src/runtime.ts';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';
import { type Driven, drive } from './drive.ts';
import { issueCodes } from './issue-codes.ts';

const CONCURRENCY = 16;
/** As many as a slow machine exchanges well within a code's life. */
const CODES = 1_000;
const FLOOR_MS = 1_000;

/** `POST /oauth2/token` with fresh codes, 16 at a time. */
export async function exchangeCodes(
  context: Pick<ServiceContext, 'em' | 'now' | 'config'>,
  kit: StarterKit,
): Promise<Driven> {
  // each connection makes its next request ready before it knows that it was the last
  const codes = await issueCodes(context, kit, CODES + 2 * CONCURRENCY);
  return drive({
    url: context.config.authUrl,
    connections: CONCURRENCY,
    amount: CODES,
    requests: [
      {
        method: 'POST',
        path: '/oauth2/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        setupRequest(request) {
          const body = codes.pop()?.form;
          if (body === undefined) throw new Error('the codes have run out');
          return { ...request, body };
        },
      },
    ],
  });
}

/** The floor: the two RS256 signatures of an exchange and nothing else, by the faster of the two ways that Node has. */
export async function signTwice(): Promise<Driven> {
  const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const joseKey = await importPKCS8(pem.toString(), 'RS256');
  const byJose = await perSecond(() =>
    new SignJWT({ sub: 'usr_1' }).setProtectedHeader({ alg: 'RS256' }).sign(joseKey),
  );
  const nodeKey: KeyObject = createPrivateKey(pem);
  const signOffLoop = promisify(sign);
  const data = Buffer.alloc(400, 7);
  const byNode = await perSecond(() =>
    signOffLoop('sha256', data, { key: nodeKey, padding: constants.RSA_PKCS1_PADDING }),
  );
  return { perSecond: Math.max(byJose, byNode), p50: 0, p99: 0 };
}

async function perSecond(signOnce: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  let pairs = 0;
  const worker = async () => {
    while (performance.now() - started < FLOOR_MS) {
      await signOnce();
      await signOnce();
      pairs++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return (pairs * 1000) / (performance.now() - started);
}
