import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import { denyAuthorization } from '../../src/authorization/complete-authorization.ts';
import { findSession, type OpenSession, SESSION_TRIES } from '../../src/authorization/find-session.ts';
import { findLogoPath } from '../../src/client/read-client-logo.ts';
import { grantConsent } from '../../src/consent/grant-consent.ts';
import { offerConsent } from '../../src/consent/offer-consent.ts';
import { GRANT_MODES } from '../../src/entities/consent-grant.ts';
import { PhoneChallenge } from '../../src/entities/phone-challenge.ts';
import { withParameters } from '../../src/oauth/redirect-uri.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { checkCode } from '../../src/verification/check-code.ts';
import { maskPhone } from '../../src/verification/phone-number.ts';
import { sendCode } from '../../src/verification/send-code.ts';
import { CodeInput, describeSent, PhoneInput, TicketIds } from '../http/page-inputs.ts';
import { orTrpcError, TRPC_OPTIONS, withTrpcErrors } from '../http/trpc-errors.ts';

/** The calls of the hosted login pages. They are internal: partners never use them. */

/** The context of a call. */
interface LoginCall {
  context: ServiceContext;
  browserSecret: string | undefined;
  /** Of the browser. */
  address: string;
  /** Which of the browser's sessions the page is for; undefined means the newest. */
  sessionId: string | undefined;
  /** Called once the session is found. */
  onSession(session: OpenSession): void;
}

const { procedure, router } = initTRPC.context<LoginCall>().create(TRPC_OPTIONS);

/** A procedure bound to the session that the caller's browser started. */
const sessionProcedure = procedure.use(async ({ ctx, next }) => {
  const session = await withTrpcErrors(() => findSession(ctx.context, ctx.browserSecret, ctx.sessionId));
  ctx.onSession(session);
  return orTrpcError(await next({ ctx: { ...ctx, session } }));
});

const GrantConsent = z.strictObject({
  actions: z.array(z.string().max(60)).max(50),
  mode: z.enum(GRANT_MODES).default('all_current_future'),
  ticketIds: TicketIds,
});

export const loginRouter = router({
  session: router({
    get: sessionProcedure.query(({ ctx }) => describeSession(ctx.context, ctx.session)),
  }),
  phone: router({
    sendCode: sessionProcedure
      .input(PhoneInput)
      .mutation(async ({ ctx, input }) =>
        describeSent(await sendCode(ctx.context, ctx.session, input.phone, ctx.address)),
      ),
    verifyCode: sessionProcedure.input(CodeInput).mutation(async ({ ctx, input }) => {
      await checkCode(ctx.context, ctx.session, input.code);
      return { step: 'consent' as const };
    }),
  }),
  consent: router({
    options: sessionProcedure.query(({ ctx }) => offerConsent(ctx.context, ctx.session)),
    grant: sessionProcedure.input(GrantConsent).mutation(async ({ ctx, input }) => ({
      redirectTo: await grantConsent(ctx.context, ctx.session, input),
    })),
    deny: sessionProcedure.mutation(async ({ ctx }) => ({
      redirectTo: await denyAuthorization(ctx.context, ctx.session),
    })),
  }),
});

export type LoginRouter = typeof loginRouter;

/** What the page needs to show the current step of the session, also after a reload. */
async function describeSession({ em, pool }: Pick<ServiceContext, 'em' | 'pool'>, session: OpenSession) {
  const [challenge, logo] = await Promise.all([
    session.step === 'code' ? em.findOne(PhoneChallenge, { session: session.id }) : null,
    findLogoPath({ pool }, session.client.id),
  ]);
  return {
    sessionId: session.id,
    step: session.step,
    clientName: session.client.name,
    /** Relative to the page's own address; null where the page shows initials instead. */
    logo,
    mode: session.client.mode,
    loginHint: session.loginHint ?? null,
    uiLocales: session.uiLocales ?? null,
    phone: challenge ? maskPhone(challenge.phone) : null,
    resendAt: challenge?.resendAt.toISOString() ?? null,
    expiresAt: session.expiresAt.toISOString(),
    returnTo: returnUrlOf(session),
    triesLeft: SESSION_TRIES - session.wrongTries,
  };
}

/**
 * Where the page leads a fan whose sign-in can't be finished: to the partner, as after a refusal. The page gets it in advance,
 * because an expired session is no longer answered.
 * @see RFC 6749 §4.1.2.1
 */
function returnUrlOf(session: OpenSession): string {
  return withParameters(session.redirectUri, {
    error: 'access_denied',
    error_description: 'The user did not finish the sign-in',
    state: session.state,
  });
}
