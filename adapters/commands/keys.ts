/**
 * Key commands for operators, also while the service runs. Exit code 1: failure; 2: wrong command line.
 *
 *   npm run keys:rotate      publishes the next signing key, which signs when it is due
 *   npm run keys:status      which key sealed how many secrets, and what a rotation of KEY_ENCRYPTION_KEY still has to do
 *   npm run keys:reencrypt   re-encrypts every secret for KEY_ENCRYPTION_KEY of this command, which becomes the newest key
 */
import { preferKey } from '../../src/keys/admit-key.ts';
import { type EncryptionStatus, readEncryptionStatus } from '../../src/keys/encryption-status.ts';
import { reencrypt } from '../../src/keys/reencrypt.ts';
import { rotateKeys } from '../../src/keys/rotate-keys.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { subcommandOf } from './flags.ts';
import { printColumns } from './print-columns.ts';
import { runCommand } from './run-command.ts';
import { withRuntime } from './with-runtime.ts';

const TOLD_EVERY = 1_000;

/** Each command returns the text to print. */
const COMMANDS: Readonly<Record<string, (context: () => ServiceContext) => Promise<string>>> = {
  async rotate(context) {
    const { kid, signsFrom } = await rotateKeys(context(), 'system');
    return `Key ${kid} is published and signs from ${signsFrom.toISOString()}.\n`;
  },
  status: async (context) => describeEncryption(await readEncryptionStatus(context())),
  reencrypt: reencryptAll,
};

await runCommand(async () => {
  const [name = ''] = process.argv.slice(2);
  process.stdout.write(await withRuntime(subcommandOf(COMMANDS, name, 'keys')));
  return 0;
});

/** Does the work of the background job and prints its progress. It can also return to a key that was being replaced. */
async function reencryptAll(context: () => ServiceContext): Promise<string> {
  await preferKey(context());
  let told = 0;
  const run = await reencrypt(context(), {
    onBatch(done) {
      if (done - told < TOLD_EVERY) return;
      told = done;
      process.stderr.write(`${done} re-encrypted\n`);
    },
  });
  const done = run ? `${run.done} secrets re-encrypted.` : 'The job is re-encrypting at the moment.';
  const status = `${done}\n\n${describeEncryption(await readEncryptionStatus(context()))}`;
  if (run === undefined || run.unopened.length === 0) return status;
  process.stdout.write(status);
  throw new Error(`${run.unopened.length} secrets can be opened neither by KEY_ENCRYPTION_KEY nor by its fallback.`);
}

/** How far a change of keys is, as text, with the next step. */
function describeEncryption(status: EncryptionStatus): string {
  const { key, fallback, custody, tables } = status;
  return [
    `KEY_ENCRYPTION_KEY           ${key}`,
    `KEY_ENCRYPTION_KEY_FALLBACK  ${fallback ?? 'none'}`,
    `CUSTODY_PROVIDER             ${custody === key ? 'database, with KEY_ENCRYPTION_KEY' : `aws-kms, ${custody}`}`,
    '',
    ...printColumns(
      [
        ['table', 'sealed with', 'done', 'left'],
        ...tables.map(({ table, key, done, left }) => [table, key, done, left]),
      ],
      2,
    ),
    '',
    nextStep(status),
    '',
  ].join('\n');
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
