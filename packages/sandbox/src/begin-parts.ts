import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@fan-api/embedded-postgres';
import { type Localnet, startLocalnet } from '@fan-api/localnet';
import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import { interfaceOf, type SandboxPlace } from './command-words.ts';
import { copyTemplate } from './database-template.ts';

/** What starts outside the main thread while it loads the service. */
export interface Parts {
  folder: string;
  /** Whether the database has the schema already. */
  isMigrated: boolean;
  embedded: Promise<EmbeddedPostgres>;
  localnet: Promise<Localnet>;
  /** Ends both, and removes the folder. */
  end(): Promise<void>;
}

/** Begins a database and a network in a temporary folder. @returns when PostgreSQL needs nothing more of this process */
export async function beginParts(place: SandboxPlace): Promise<Parts> {
  const folder = await mkdtemp(join(tmpdir(), 'fan-api-sandbox-'));
  // for root, PostgreSQL runs as another user, who must be able to come in; what is secret has a mode of its own
  await chmod(folder, 0o755);
  const isMigrated = await copyTemplate(folder);
  const launched = Promise.withResolvers<void>();
  // a crash of the machine may lose what nobody keeps
  const embedded = startEmbeddedPostgres(folder, { fsync: false, onWait: launched.resolve });
  embedded.then(() => launched.resolve(), launched.resolve);
  const localnet = startLocalnet({
    port: place.port === undefined ? 0 : place.port + 1,
    host: interfaceOf(place),
    dataDir: folder,
    programs: [readLocalProgram()],
    forkable: true,
  });
  // thrown where a part is awaited
  for (const part of [embedded, localnet]) part.catch(() => {});
  await launched.promise;
  const ended = (part: Promise<{ stop(): Promise<void> }>) => part.then((running) => running.stop()).catch(() => {});
  return {
    folder,
    isMigrated,
    embedded,
    localnet,
    async end() {
      await Promise.all([ended(embedded), ended(localnet)]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
