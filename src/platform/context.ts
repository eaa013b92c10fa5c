/**
 * The context of one request, job or command. A function takes the part that it needs as its first parameter:
 * `Pick<Context, 'em'>`, or one of the named parts below. Ports such as `WithKeys` are declared by the folder that implements
 * them.
 *
 * @module
 */
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';

export interface Context {
  config: Config;
  orm: MikroORM;
  /** The `pg` pool under the ORM, for the prepared statements of the hot paths. */
  pool: Pool;
  log: Logger;
  now: () => Date;
  /** Forked on first use. */
  readonly em: EntityManager;
  /** Null for jobs and commands. */
  readonly requestId: string | null;
  /** The staff access token (`stk_…`) of the call, if any. Audit entries name it. */
  readonly staffToken?: string;
}

/** The context of a prepared statement. */
export type SqlContext = Pick<Context, 'pool' | 'now'>;

/** The context of work with entities. */
export type EntityContext = Pick<Context, 'em' | 'now'>;

/** The context of a change that the audit log records. */
export type WriteContext = EntityContext & Pick<Context, 'requestId'>;

/** The context of code that reads settings. */
export type WithConfig = Pick<Context, 'config'>;
