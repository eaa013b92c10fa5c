import type { EncryptionStatus } from '../../src/keys/encryption-status.ts';

/** How far a change of keys is, as text, with the next step. */
export function describeEncryption(status: EncryptionStatus): string {
  const { key, fallback, custody, tables } = status;
  return [
    `KEY_ENCRYPTION_KEY           ${key}`,
    `KEY_ENCRYPTION_KEY_FALLBACK  ${fallback ?? 'none'}`,
    `CUSTODY_PROVIDER             ${custody === key ? 'database, with KEY_ENCRYPTION_KEY' : `aws-kms, ${custody}`}`,
    '',
    line('table', 'sealed with', 'done', 'left'),
    ...tables.map(({ table, key: own, done, left }) => line(table, own, String(done), String(left))),
    '',
    nextStep(status),
    '',
  ].join('\n');
}

function line(table: string, key: string, done: string, left: string): string {
  return `${table.padEnd(21)}${key.padEnd(18)}${done.padStart(12)}${left.padStart(12)}`;
}

function nextStep({ fallback, tables }: EncryptionStatus): string {
  const left = tables.reduce((sum, table) => sum + table.left, 0);
  const behind = tables.find(({ key, newest }) => newest !== key);
  if (behind) {
    return `Another process seals with the newer key ${behind.newest}, to which the secrets are re-encrypted. To keep ${behind.key} instead, run npm run keys:reencrypt.`;
  }
  if (left > 0) return `${left} left: a job re-encrypts them every minute; npm run keys:reencrypt does it now.`;
  if (fallback !== undefined) return 'Nothing is left: remove KEY_ENCRYPTION_KEY_FALLBACK from every process.';
  return 'Nothing is left.';
}
