/**
 * The audit log in files. Exit code 1: failure, or a log that is not intact; 2: wrong command line.
 *
 *   npm run audit -- export --to FOLDER   writes each month that is over, and was not exported, to audit-2026-10.ndjson, and verifies it
 *   npm run audit -- verify [FILE...]     verifies files from the beginning of the log on, and the database after them
 *   npm run audit -- detach FILE...       verifies files again, and deletes their entries, older than a year, from the database
 *   npm run audit -- forget FILE...       after a restore: deletes the fans again who have left according to exports, ndjson or JSON
 */
import { detachMonth, exportMonths, verifyFiles } from '../../src/record/audit/archive-audit.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { deleteAgain } from '../../src/sign-in/own-data/delete-again.ts';
import { readWords, subcommandOf, UsageError } from './flags.ts';
import { runCommand } from './run-command.ts';
import { withRuntime } from './with-runtime.ts';

type Command = (context: () => ServiceContext, files: string[], folder: string | undefined) => Promise<void>;

const COMMANDS: Readonly<Record<string, Command>> = {
  async export(context, files, folder) {
    if (folder === undefined || files.length > 0) throw new UsageError('audit export: needs --to FOLDER, and no file');
    let months = 0;
    for await (const { file, first, last, entries, hash } of exportMonths(context(), folder)) {
      months += 1;
      print(`${file}: entries ${first} to ${last}, ${entries} verified, head ${last}:${hash}`);
    }
    if (months === 0) print('Every month that is over was exported already.');
  },
  async verify(context, files) {
    const { checked, cut, head, broken } = await verifyFiles(context(), files);
    if (broken) throw new Error(`Entry ${broken.position} of the database is not intact: ${broken.reason}.`);
    const newest = head ? `, head ${head.position}:${head.hash}` : '';
    print(`${files.length} files and ${checked} entries of the database are intact${newest}`);
    if (cut && files.length === 0)
      print(`The database begins at entry ${cut.position}. What is before is in files: name them too.`);
  },
  async detach(context, files) {
    if (files.length === 0) throw new UsageError('audit detach: name the files');
    for (const file of files) print(`${await detachMonth(context(), file)}: only in ${file} now. Keep it.`);
  },
  async forget(context, files) {
    if (files.length === 0) throw new UsageError('audit forget: name the files');
    let refused = 0;
    for await (const { fan, refusal } of deleteAgain(context, files)) {
      print(`${fan}: ${refusal === undefined ? 'deleted' : `not deleted. ${refusal}`}`);
      if (refusal !== undefined) refused += 1;
    }
    if (refused > 0)
      throw new Error(`${refused} fans still hold something: run it again once the chain has been read.`);
  },
};

await runCommand(async () => {
  const { values, positionals } = readWords(
    process.argv.slice(2),
    { to: { type: 'string' } },
    Number.POSITIVE_INFINITY,
  );
  const [name = '', ...files] = positionals;
  const command = subcommandOf(COMMANDS, name, 'audit');
  await withRuntime((context) => command(context, files, values.to));
  return 0;
});

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
