import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** An authenticator in software, which a test can bend: other pages, other counts, no fingerprint. @see WebAuthn Level 3 §6 */

export interface Bend {
  /** Of the page, as the browser writes it. */
  origin?: string;
  /** The host that the authenticator signs for. */
  rpId?: string;
  /** Its count of signatures. */
  count?: number;
  /** Whether it asked for a fingerprint, a face or a PIN. */
  isVerified?: boolean;
  /** Whether several devices share the passkey. */
  isSynced?: boolean;
  challenge?: string;
  userHandle?: string;
  /** Attests the passkey that it makes, by the passkey's own key or by a forged signature. @see WebAuthn Level 3 §8.2 */
  attestation?: 'own' | 'forged';
}

interface Creation {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}

interface Request {
  challenge: string;
  rpId?: string;
}

/** CBOR of a map of three: `fmt` and `attStmt`, up to `authData`. */
const NO_ATTESTATION = Buffer.from('a363666d74646e6f6e656761747453746d74a0', 'hex');
/** As above with `alg` ES256, up to the length of `sig`. */
const PACKED = Buffer.from('a363666d74667061636b65646761747453746d74a263616c67266373696758', 'hex');
const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const MAY_BE_SYNCED = 8;
const HAS_CREDENTIAL = 64;

/** @param origin of the pages that it is used on */
export function softAuthenticator(origin: string) {
  const id = randomBytes(16);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let count = 0;
  let userHandle: string | undefined;
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };

  function authenticatorData(rpId: string, bend: Bend, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(bend.count ?? ++count);
    const verified = bend.isVerified === false ? 0 : USER_VERIFIED;
    const synced = bend.isSynced ? MAY_BE_SYNCED : 0;
    return Buffer.concat([sha256(bend.rpId ?? rpId), Buffer.from([USER_PRESENT | verified | synced | flags]), counter]);
  }

  function clientData(type: string, challenge: string, bend: Bend): Buffer {
    const data = { type, challenge: bend.challenge ?? challenge, origin: bend.origin ?? origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data));
  }

  function selfAttestation(data: Buffer, client: Buffer, by: 'own' | 'forged'): Buffer {
    const key = by === 'own' ? privateKey : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), key);
    return Buffer.concat([PACKED, Buffer.from([signature.length]), signature]);
  }

  return {
    create({ challenge, rp, user }: Creation, bend: Bend = {}) {
      userHandle = user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = [
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ];
      const data = Buffer.concat([
        authenticatorData(rp.id ?? '', bend, HAS_CREDENTIAL),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        ...key,
      ]);
      const client = clientData('webauthn.create', challenge, bend);
      const attestation = Buffer.concat([
        bend.attestation === undefined ? NO_ATTESTATION : selfAttestation(data, client, bend.attestation),
        Buffer.from('68617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    get({ challenge, rpId = '' }: Request, bend: Bend = {}) {
      const data = authenticatorData(rpId, bend, 0);
      const client = clientData('webauthn.get', challenge, bend);
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
          userHandle: bend.userHandle ?? userHandle,
        },
      };
    },
  };
}

export type SoftAuthenticator = ReturnType<typeof softAuthenticator>;

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
