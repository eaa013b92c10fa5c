import type { Call } from '../../../schema/context.ts';
import { schema } from '../../../schema/schema.ts';
import { confirmsHere } from '../../../src/people/staff/confirm-session.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { createContext, type Runtime } from '../../../src/runtime.ts';
import { graphqlOverHttp } from '../../http/graphql-over-http.ts';
import { pathOf } from '../../http/read-call.ts';
import type { RequestContext } from '../../http/request-state.ts';
import { findStaff } from './find-staff.ts';
import type { CountCall } from './service-limits.ts';

const CONSOLE_HEADER = 'X-Console';
/** A batch of 1,000 rows, in the variables of a call, with room to spare. */
const BODY_LIMIT_BYTES = 1024 * 1024;
/** The console's largest document has a fifth of the tokens, and a handful of aliased fields. */
const LIMITS = { tokens: 2_500, aliases: 30 };

/**
 * `POST {ADMIN_URL}/graphql`, for signed-in staff, for their tokens and for service accounts.
 * @param countCall refuses a caller whose limit is reached
 */
export function graphqlEndpoint(runtime: Runtime, countCall: CountCall): (ctx: RequestContext) => Promise<void> {
  return graphqlOverHttp<Call>(runtime, {
    schema,
    url: runtime.config.adminUrl,
    header: CONSOLE_HEADER,
    refusal: `Calls from a browser must come from the console and have the header ${CONSOLE_HEADER}.`,
    bodyLimit: BODY_LIMIT_BYTES,
    limits: LIMITS,
    mutation: 'graphql.mutation',
    async enter(ctx) {
      const { requestId } = ctx.state;
      const context = createContext(runtime, requestId);
      const staff = await findStaff(context, ctx);
      if (staff === undefined) throw new DomainError('sign_in_required', 'Sign in to the console first.');
      await countCall(ctx, staff);
      return {
        context,
        work: () => createContext(runtime, requestId, staff.tokenId),
        viewer: staff,
        confirmsHere: confirmsHere(runtime.config, pathOf(ctx)),
      };
    },
  });
}
