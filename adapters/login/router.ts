import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import { changeFan } from '../../src/authorization/change-fan.ts';
import { denyAuthorization } from '../../src/authorization/complete-authorization.ts';
import { findSession, type OpenSession, requireStep, SESSION_TRIES } from '../../src/authorization/find-session.ts';
import { findLogoPath } from '../../src/client/read-client-logo.ts';
import { grantConsent } from '../../src/consent/grant-consent.ts';
import { offerConsent } from '../../src/consent/offer-consent.ts';
import { GRANT_MODES } from '../../src/entities/consent-grant.ts';
import { Fan } from '../../src/entities/fan.ts';
import { Partner } from '../../src/entities/partner.ts';
import { PhoneChallenge } from '../../src/entities/phone-challenge.ts';
import { withParameters } from '../../src/oauth/redirect-uri.ts';
import { askForPasskey } from '../../src/passkey/check-passkey.ts';
import {
  addPasskey,
  beginPasskey,
  declinePasskey,
  offersPasskey,
  type PasskeyFan,
} from '../../src/passkey/register-passkey.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { checkCode } from '../../src/verification/check-code.ts';
import { startNewAccount, supportCode } from '../../src/verification/continuity.ts';
import { maskPhone } from '../../src/verification/phone-number.ts';
import { unprovedSince } from '../../src/verification/recycled-number.ts';
import { sendCode } from '../../src/verification/send-code.ts';
import { atContinuity, challengeOf, signInByPasskey } from '../../src/verification/sign-in-by-passkey.ts';
import { CodeInput, describeSent, PhoneInput, TicketIds } from '../http/page-inputs.ts';
import { NewPasskey, PasskeyAnswer } from '../http/passkey-inputs.ts';
import { orTrpcError, TRPC_OPTIONS, withTrpcErrors } from '../http/trpc-errors.ts';
import { portalUrl } from '../portal/surface.ts';

/** The calls of the hosted login pages. They are internal: partners never use them. */

/** The context of a call. */
interface LoginCall {
  context: ServiceContext;
  browserSecret: string | undefined;
  /** Of the browser. */
  address: string;
  userAgent: string;
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
  /** Of `session.get`, so that a page that was left open grants nothing for the fan who signed in after it. */
  verifiedAt: z.iso.datetime().optional(),
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
    verifyCode: sessionProcedure
      .input(CodeInput)
      .mutation(async ({ ctx, input }) => ({ step: await checkCode(ctx.context, ctx.session, input.code) })),
    change: sessionProcedure.mutation(async ({ ctx }) => {
      await changeFan(ctx.context, ctx.session);
      return { step: 'phone' as const };
    }),
  }),
  passkey: router({
    ask: sessionProcedure.mutation(({ ctx }) => askForPasskey(ctx.context, challengeOf(ctx.session))),
    answer: sessionProcedure.input(PasskeyAnswer).mutation(async ({ ctx, input }) => {
      await signInByPasskey(ctx.context, ctx.session, input);
      return { step: 'consent' as const };
    }),
    begin: sessionProcedure.mutation(async ({ ctx }) => beginPasskey(ctx.context, await passkeyFan(ctx))),
    add: sessionProcedure.input(NewPasskey).mutation(async ({ ctx, input }) => {
      await addPasskey(ctx.context, await passkeyFan(ctx), input, ctx.userAgent);
      return { step: 'consent' as const };
    }),
    decline: sessionProcedure.mutation(async ({ ctx }) => {
      await declinePasskey(ctx.context, (await passkeyFan(ctx)).fan);
      return { step: 'consent' as const };
    }),
  }),
  continuity: router({
    startNew: sessionProcedure.mutation(async ({ ctx }) => {
      await startNewAccount(ctx.context, await atContinuity(ctx.context, ctx.session));
      return { step: 'consent' as const };
    }),
    askSupport: sessionProcedure.mutation(async ({ ctx }) => ({
      code: await supportCode(ctx.context, await atContinuity(ctx.context, ctx.session)),
    })),
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

/** The fan who is signed in, for a passkey that is made in the sign-in. @throws DomainError `wrong_step` */
async function passkeyFan({ context: { em }, session }: { context: ServiceContext; session: OpenSession }) {
  requireStep(session, 'consent');
  if (!session.fan) throw new Error(`session ${session.id} is at consent without a fan`);
  const { id, phone } = await em.findOneOrFail(Fan, session.fan.id);
  return { owner: session.id, fan: id, label: phone ? maskPhone(phone) : session.client.name } satisfies PasskeyFan;
}

/** What the page needs to show the current step of the session, also after a reload. */
async function describeSession(
  { em, pool, config, now }: Pick<ServiceContext, 'em' | 'pool' | 'config' | 'now'>,
  session: OpenSession,
) {
  const { client, step } = session;
  const [challenge, fan, partner, logo] = await Promise.all([
    step === 'code' || step === 'continuity' ? em.findOne(PhoneChallenge, { session: session.id }) : null,
    step === 'consent' && session.fan ? em.findOne(Fan, session.fan.id) : null,
    client.mode === 'sandbox' ? em.findOne(Partner, client.partner.id) : null,
    findLogoPath({ pool }, client.id),
  ]);
  const phone = challenge?.phone ?? fan?.phone ?? undefined;
  const unproved =
    step === 'continuity' && phone ? await unprovedSince({ em }, { mode: client.mode, phone }) : undefined;
  return {
    sessionId: session.id,
    step,
    clientName: client.name,
    /** Whose test users may sign in; null in production. */
    sandboxOf: partner?.name ?? null,
    /** Relative to the page's own address; null where the page shows initials instead. */
    logo,
    mode: client.mode,
    loginHint: session.loginHint ?? null,
    uiLocales: session.uiLocales ?? null,
    /** Masked: under verification, then of the fan who is signed in. */
    phone: phone === undefined ? null : maskPhone(phone),
    /** At `continuity`: since when nobody has proved the number. */
    unprovedSince: unproved?.toISOString() ?? null,
    /** Whether the fan is asked to make a passkey. */
    offersPasskey: fan !== null && (await offersPasskey({ em, now }, fan.id)),
    verifiedAt: session.authenticatedAt?.toISOString() ?? null,
    /** Where the fan can change or end what is allowed here. */
    portalUrl: portalUrl(config),
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
