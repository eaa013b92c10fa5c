/**
 * What a process holds from start to end (`adapters/runtime.ts` opens it), and the context of each piece of work.
 *
 * @module
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { WithCodeLimiters } from './abuse/code-limiters.ts';
import type { WithActivity } from './activity/activity-log.ts';
import type { WithChains } from './chain/chains.ts';
import type { Context } from './context.ts';
import type { WithClock } from './database/clock.ts';
import type { WithDoubts } from './database/doubts.ts';
import type { WithKeys } from './keys/key-ring.ts';
import type { WithSecrets } from './keys/seal.ts';
import type { WithCustody } from './keys/vault.ts';
import type { WithMail } from './mail/mail-sender.ts';
import type { WithUiLocales } from './oauth/metadata.ts';
import type { WithVerification } from './verification/provider.ts';
import type { WithSigner } from './wallet/signer.ts';

type Ports = WithClock &
  WithDoubts &
  WithKeys &
  WithSecrets &
  WithCustody &
  WithMail &
  WithVerification &
  WithCodeLimiters &
  WithChains &
  WithUiLocales &
  WithSigner &
  WithActivity;

export type Runtime = Pick<Context, 'config' | 'orm' | 'pool' | 'log' | 'now'> & Ports;

/** Accepted by any function of `src`. */
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
