import { migrate } from '../../src/entities/migrate.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { startEmbedded } from '../process/begin-parts.ts';
import { migrateQueue } from '../process/jobs.ts';
import { namingVariable } from '../process/open-database.ts';
import { runCommand } from './run-command.ts';

/** `npm run migrate`: migrates the database to the schema of this release, while processes of the previous release keep running. */
await runCommand(async () => {
  const config = readConfig(process.env);
  const embedded = config.databaseUrl === undefined ? await startEmbedded(config.dataDir, { share: true }) : undefined;
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
  try {
    const tell = (message: string) => void process.stderr.write(`${message}\n`);
    const done = await namingVariable(databaseUrl, async () => {
      const names = await migrate(databaseUrl, () => undefined, tell);
      await migrateQueue(databaseUrl);
      return names;
    });
    process.stdout.write(done.length === 0 ? 'The schema is up to date.\n' : `${done.join('\n')}\n`);
    return 0;
  } finally {
    await embedded?.stop();
  }
});
