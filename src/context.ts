import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { CodeLimiters } from './abuse/code-limiters.ts';
import type { ActivityLog } from './activity/activity-log.ts';
import type { Chains } from './chain/chains.ts';
import type { Config } from './config.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { DerivedKeys } from './keys/seal.ts';
import type { VerificationProvider } from './verification/provider.ts';
import type { Signer } from './wallet/signer.ts';

/** What a process holds from start to end. Made in `adapters/main.ts`. */
export interface Runtime {
  config: Config;
  orm: MikroORM;
  /** The `pg` pool under the ORM, for the prepared statements of the hot paths. */
  pool: Pool;
  keys: KeyRing;
  secrets: DerivedKeys;
  verification: VerificationProvider;
  /** Counts of codes asked for. */
  codeLimiters: CodeLimiters;
  /** The Solana cluster of each mode. */
  chains: Chains;
  /** Signs with wallets and keys of ours. */
  signer: Signer;
  /** The request log. */
  activity: ActivityLog;
  log: Logger;
  now: () => Date;
}

/** What one request, job or command works with. Functions take the part of it that they need, first. */
export interface Context extends Runtime {
  /** An entity manager of its own, forked on first use. */
  readonly em: EntityManager;
  /** Null for jobs and commands. */
  readonly requestId: string | null;
  /** The staff access token (`stk_…`) that calls; undefined for everybody else. Audit entries name it. */
  readonly staffToken?: string;
}

/** A context for one piece of work. */
export function createContext(runtime: Runtime, requestId: string | null, staffToken?: string): Context {
  let em: EntityManager | undefined;
  return {
    ...runtime,
    requestId,
    ...(staffToken !== undefined && { staffToken }),
    get em() {
      em ??= runtime.orm.em.fork();
      return em;
    },
  };
}
