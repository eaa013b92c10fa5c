import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import { GRANT_MODES } from '../../../src/entities/consent-grant.ts';
import { Fan } from '../../../src/entities/fan.ts';
import { maskPhone } from '../../../src/platform/phone-number.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { changeFan } from '../../../src/sign-in/authorization/change-fan.ts';
import { denyAuthorization } from '../../../src/sign-in/authorization/complete-authorization.ts';
import {
  type FindSession,
  findSession,
  type OpenSession,
  requireStep,
} from '../../../src/sign-in/authorization/find-session.ts';
import { findSessionToConsent, grantConsent, offerConsent } from '../../../src/sign-in/consent/grant-consent.ts';
import { askForPasskey } from '../../../src/sign-in/passkey/check-passkey.ts';
import {
  addPasskey,
  beginPasskey,
  declinePasskey,
  type PasskeyFan,
} from '../../../src/sign-in/passkey/register-passkey.ts';
import { checkCode, findSessionToCheck } from '../../../src/sign-in/verification/check-code.ts';
import { startNewAccount, supportCode } from '../../../src/sign-in/verification/continuity.ts';
import { sendCode } from '../../../src/sign-in/verification/send-code.ts';
import { atContinuity, challengeOf, signInByPasskey } from '../../../src/sign-in/verification/sign-in-by-passkey.ts';
import { CodeInput, describeSent, PhoneInput, TicketIds } from '../../http/page-inputs.ts';
import { NewPasskey, PasskeyAnswer } from '../../http/passkey-inputs.ts';
import { orTrpcError, TRPC_OPTIONS, withTrpcErrors } from '../../http/trpc-errors.ts';
import { describeSession, findSessionToShow } from './describe-session.ts';

/** The calls of the hosted login pages. They are internal: partners never use them. */

/** The context of a call. */
interface LoginCall {
  context: ServiceContext;
  browserSecret: string | undefined;
  /** IP address of the browser. */
  address: string;
  userAgent: string;
  /** Which of the browser's sessions the page is for; undefined means the newest. */
  sessionId: string | undefined;
  /** Called once the session is found. */
  onSession(session: OpenSession): void;
}

const { procedure, router } = initTRPC.context<LoginCall>().create(TRPC_OPTIONS);

/** A procedure bound to the session that the caller's browser started. */
const procedureFor = <More>(find: FindSession<More>) =>
  procedure.use(async ({ ctx, next }) => {
    const session = await withTrpcErrors(() => find(ctx.context, ctx.browserSecret, ctx.sessionId));
    ctx.onSession(session);
    return orTrpcError(await next({ ctx: { ...ctx, session } }));
  });
const sessionProcedure = procedureFor(findSession);

const GrantConsent = z.strictObject({
  actions: z.array(z.string().max(60)).max(50),
  mode: z.enum(GRANT_MODES).default('all_current_future'),
  ticketIds: TicketIds,
  /** The value from `session.get`, so that a page left open grants nothing for a fan who signed in later. */
  verifiedAt: z.iso.datetime().optional(),
});

export const loginRouter = router({
  session: router({
    get: procedureFor(findSessionToShow).query(({ ctx }) => describeSession(ctx.context, ctx.session)),
  }),
  phone: router({
    sendCode: sessionProcedure
      .input(PhoneInput)
      .mutation(async ({ ctx, input }) =>
        describeSent(await sendCode(ctx.context, ctx.session, input.phone, ctx.address)),
      ),
    verifyCode: procedureFor(findSessionToCheck)
      .input(CodeInput)
      .mutation(async ({ ctx, input }) => ({ step: await checkCode(ctx.context, ctx.session, input.code) })),
    change: sessionProcedure.mutation(async ({ ctx }) => {
      await changeFan(ctx.context, ctx.session);
      return { step: 'phone' as const };
    }),
  }),
  passkey: router({
    ask: sessionProcedure.mutation(({ ctx }) => askForPasskey(ctx.context, challengeOf(ctx.context, ctx.session))),
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
      await startNewAccount(ctx.context, atContinuity(ctx.context, ctx.session));
      return { step: 'consent' as const };
    }),
    askSupport: sessionProcedure.mutation(async ({ ctx }) => ({
      code: await supportCode(ctx.context, atContinuity(ctx.context, ctx.session)),
    })),
  }),
  consent: router({
    options: procedureFor(findSessionToConsent).query(({ ctx }) => offerConsent(ctx.session)),
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
