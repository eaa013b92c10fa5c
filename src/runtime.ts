/**
 * Everything that a process holds from start to end, and the context that it makes for each piece of work. The composition
 * root (`adapters/runtime.ts`) opens it; no room of `src` needs it whole but those that start work of their own.
 *
 * @module
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { WithCodeLimiters } from './abuse/code-limiters.ts';
import type { WithActivity } from './activity/activity-log.ts';
import type { WithChains } from './chain/chains.ts';
import type { Context } from './context.ts';
import type { WithKeys } from './keys/key-ring.ts';
import type { WithSecrets } from './keys/seal.ts';
import type { WithVerification } from './verification/provider.ts';
import type { WithSigner } from './wallet/signer.ts';

/** All ports of the rooms. */
type Ports = WithKeys & WithSecrets & WithVerification & WithCodeLimiters & WithChains & WithSigner & WithActivity;

export type Runtime = Pick<Context, 'config' | 'orm' | 'pool' | 'log' | 'now'> & Ports;

/** A context that any function of `src` accepts. */
export type ServiceContext = Context & Ports;

/** A context for one piece of work. @param requestId null for jobs and commands */
export function createContext(runtime: Runtime, requestId: string | null, staffToken?: string): ServiceContext {
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
