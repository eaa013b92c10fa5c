import type { Call } from '../../../schema/context.ts';
import { partnerSchema } from '../../../schema/schema.ts';
import { findMemberSession } from '../../../src/people/account/find-session.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { createContext, type Runtime } from '../../../src/runtime.ts';
import { graphqlOverHttp } from '../../http/graphql-over-http.ts';
import { createLimiter, limitCall } from '../../http/rate-limit.ts';
import { deviceOf } from '../../http/read-call.ts';
import type { RequestContext } from '../../http/request-state.ts';
import { consoleCookies } from '../console-cookies.ts';

const WORKSPACE_HEADER = 'X-Workspace';
const BODY_LIMIT_BYTES = 128 * 1024;
const LIMITS = { tokens: 2_000, aliases: 20 };
/** Limit of one member in each process. A page makes a handful of calls. */
const CALLS_PER_MINUTE = 300;

/** `POST {PARTNERS_URL}/graphql`, for the people of partners who are signed in with a browser. There are no tokens. */
export function partnerGraphqlEndpoint(runtime: Runtime): (ctx: RequestContext) => Promise<void> {
  const { config } = runtime;
  const limiter = createLimiter(CALLS_PER_MINUTE);
  return graphqlOverHttp<Call>(runtime, {
    schema: partnerSchema,
    url: config.partnersUrl,
    header: WORKSPACE_HEADER,
    refusal: `Calls must come from the partner workspace and have the header ${WORKSPACE_HEADER}.`,
    bodyLimit: BODY_LIMIT_BYTES,
    limits: LIMITS,
    mutation: 'workspace.mutation',
    async enter(ctx) {
      const { requestId } = ctx.state;
      const context = createContext(runtime, requestId);
      const secret = consoleCookies(config, 'member').readSession(ctx);
      const member = secret === undefined ? undefined : await findMemberSession(context, secret, deviceOf(ctx));
      if (member === undefined) throw new DomainError('sign_in_required', 'Sign in to the partner workspace first.');
      await limitCall(ctx, limiter, member.id, (seconds) => `Too many calls. Wait ${seconds} seconds.`);
      return { context, work: () => createContext(runtime, requestId), viewer: member };
    },
  });
}
