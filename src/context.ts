/**
 * What one request, job or command works with. A function takes the part that it needs, as its first parameter:
 * `Pick<Context, 'em' | 'now'>`. A port of an upper room (keys, chains, the signer) comes from that room, as `WithKeys` and so on.
 *
 * @module
 */
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';

/** What every room may use, whatever it is for. */
export interface Context {
  config: Config;
  orm: MikroORM;
  /** The `pg` pool under the ORM, for the prepared statements of the hot paths. */
  pool: Pool;
  log: Logger;
  now: () => Date;
  /** The entity manager of this piece of work, forked on first use. */
  readonly em: EntityManager;
  /** Null for jobs and commands. */
  readonly requestId: string | null;
  /** The staff access token (`stk_…`) that made the call; undefined for everybody else. Audit entries name it. */
  readonly staffToken?: string;
}
