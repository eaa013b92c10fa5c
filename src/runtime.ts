/**
 * What a process holds from start to end (`adapters/process/runtime.ts` opens it), and the context of each piece of work.
 *
 * @module
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { WithChains } from './chain/chains.ts';
import type { WithSigner } from './chain/wallet/signer.ts';
import type { WithKeys } from './keys/key-ring.ts';
import type { WithSecrets } from './keys/seal.ts';
import type { WithCustody } from './keys/vault.ts';
import type { WithUiLocales } from './oauth/metadata.ts';
import type { WithSimulatedClients } from './partners/client/simulated-clients.ts';
import type { WithTokenClock } from './partners/client/token-clock.ts';
import type { Context } from './platform/context.ts';
import type { WithClock } from './platform/database/clock.ts';
import type { WithMail } from './platform/mail/mail-sender.ts';
import type { WithActivity } from './record/activity/activity-log.ts';
import type { WithCodeLimiters } from './sign-in/abuse/code-limiters.ts';
import type { WithVerification } from './sign-in/verification/provider.ts';

type Ports = WithClock &
  WithKeys &
  WithTokenClock &
  WithSimulatedClients &
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
