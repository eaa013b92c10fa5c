import { createHash } from 'node:crypto';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { type DataKeys, envelopeVault } from './envelope-vault.ts';
import type { KeyVault, WithCustody } from './vault.ts';

const ATTEMPTS = 3;
const ATTEMPT_MS = 1_500;
/** Limit on all attempts with the pauses between them: a signature waits no longer. */
const CALL_MS = 4_000;
const RETRY_AFTER = 5;
/** Errors for a ciphertext that is not ours; any other failure is the service's. */
const NOT_OURS = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);

/** The vault with AWS KMS. Credentials come from where the AWS SDK looks for them; the region is that of the key. */
export async function awsKmsVault(keyArn: string): Promise<KeyVault> {
  return envelopeVault(kmsVaultId(keyArn), await awsDataKeys(keyArn));
}

/**
 * Tries the vault at the start of a process. Where it is down, the process still starts: tickets and the sign-in of known fans do not
 * need it.
 * @throws Error where the service answers that the key can't be used
 */
export async function checkVault({ custody, log }: WithCustody & Pick<Context, 'log'>): Promise<void> {
  try {
    const { sealed } = await custody.vault.seal(TRIED, Buffer.from(TRIED));
    await custody.vault.open(TRIED, sealed);
  } catch (err) {
    const cause = err instanceof DomainError ? err.cause : err;
    if (cause instanceof Error && REFUSALS.has(cause.name)) {
      throw new Error(`AWS KMS refuses the key of CUSTODY_KMS_KEY_ARN or our credentials (${cause.name})`, { cause });
    }
    log.error({ err }, 'the key service is unreachable: no new fans and no listings until it is back');
  }
}

/** The owner of what is sealed to try a vault. */
const TRIED = 'vault check';
/** Errors that waiting does not resolve. */
const REFUSALS = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'DisabledException',
  'InvalidKeyUsageException',
  'KMSInvalidStateException',
  'NotFoundException',
  'UnrecognizedClientException',
]);

/** The id of a KMS key in `sealed_with`, not its ARN, which names the account. */
export function kmsVaultId(keyArn: string): string {
  return `${KMS_PREFIX}${createHash('sha256').update(keyArn).digest('base64url').slice(0, 12)}`;
}

/** Whether an id of `sealed_with` is a KMS key's. */
export function isKms(id: string): boolean {
  return id.startsWith(KMS_PREFIX);
}

const KMS_PREFIX = 'kms_';

/** Loads the SDK, which costs a process without a KMS key nothing. */
async function awsDataKeys(keyArn: string): Promise<DataKeys> {
  const { DecryptCommand, GenerateDataKeyCommand, KMSClient } = await import('@aws-sdk/client-kms');
  const client = new KMSClient({
    region: keyArn.split(':')[3] ?? '',
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: ATTEMPT_MS, requestTimeout: ATTEMPT_MS, throwOnRequestTimeout: true },
  });
  // CloudTrail shows this context for each call, and KMS decrypts only with the same one
  const boundTo = (owner: string) => ({ KeyId: keyArn, EncryptionContext: { service: 'fan-api', wallet: owner } });
  return {
    async generate(owner) {
      const command = new GenerateDataKeyCommand({ ...boundTo(owner), KeySpec: 'AES_256' });
      const { Plaintext, CiphertextBlob } = await answer((options) => client.send(command, options));
      return { plain: present(Plaintext), encrypted: present(CiphertextBlob) };
    },
    async decrypt(owner, encrypted) {
      const command = new DecryptCommand({ ...boundTo(owner), CiphertextBlob: encrypted });
      const { Plaintext } = await answer((options) => client.send(command, options));
      return present(Plaintext);
    },
  };
}

/** @throws DomainError `unavailable` where KMS is down, does not answer in time, or refuses us */
async function answer<T>(call: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
  try {
    return await call({ abortSignal: AbortSignal.timeout(CALL_MS) });
  } catch (cause) {
    if (cause instanceof Error && NOT_OURS.has(cause.name)) throw cause;
    throw new DomainError('unavailable', 'The key service can not be reached for the moment; try again.', {
      retryAfter: RETRY_AFTER,
      cause,
    });
  }
}

function present(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new Error('AWS KMS answered without a key');
  return bytes;
}
