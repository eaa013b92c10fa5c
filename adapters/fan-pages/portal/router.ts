import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import { GRANT_MODES } from '../../../src/entities/consent-grant.ts';
import { takeOwnOffSale } from '../../../src/inventory/take-off-sale.ts';
import { revokeOwnApp, revokeOwnGrants } from '../../../src/oauth/grant/own-grants.ts';
import { turnActionOff, turnActionOn } from '../../../src/oauth/grant/switch-action.ts';
import { ACTION_SCOPES } from '../../../src/partners/scopes.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { newBrowserSecret } from '../../../src/platform/identifier/secret-value.ts';
import { maskPhone } from '../../../src/platform/phone-number.ts';
import { after } from '../../../src/platform/time.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { SESSION_TRIES } from '../../../src/sign-in/authorization/find-session.ts';
import { chooseTickets, ticketOptions } from '../../../src/sign-in/consent/choose-tickets.ts';
import { readHolds } from '../../../src/sign-in/own-data/delete-fan.ts';
import { listPasskeys, removeOwnPasskey } from '../../../src/sign-in/passkey/own-passkeys.ts';
import {
  addPasskey,
  beginPasskey,
  MOST_PASSKEYS,
  type PasskeyFan,
} from '../../../src/sign-in/passkey/register-passkey.ts';
import { changeNumber, NUMBER_CHANGE_WINDOW, sendNewNumberCode } from '../../../src/sign-in/portal/change-number.ts';
import { checkPortalCode } from '../../../src/sign-in/portal/check-portal-code.ts';
import {
  endPortalSession,
  findPortalChallenge,
  type PortalFan,
  requirePortalFan,
} from '../../../src/sign-in/portal/find-portal-session.ts';
import { listApps, MOST_GRANTS } from '../../../src/sign-in/portal/list-apps.ts';
import { leave } from '../../../src/sign-in/portal/own-data.ts';
import { listOwnTickets } from '../../../src/sign-in/portal/own-tickets.ts';
import {
  askAtPortal,
  enterByPasskey,
  portalAtContinuity,
  portalOwner,
} from '../../../src/sign-in/portal/portal-passkey.ts';
import { readHistory } from '../../../src/sign-in/portal/read-history.ts';
import { sendPortalCode } from '../../../src/sign-in/portal/send-portal-code.ts';
import { startNewAccount, supportCode, unprovedSince } from '../../../src/sign-in/verification/continuity.ts';
import { CodeInput, describeSent, IdText, PhoneInput, TicketIds } from '../../http/page-inputs.ts';
import { NewPasskey, PasskeyAnswer } from '../../http/passkey-inputs.ts';
import { orTrpcError, TRPC_OPTIONS, withTrpcErrors } from '../../http/trpc-errors.ts';

/** The calls of the fans' portal. They are internal to its page. Times are in ISO 8601, UTC. */

/** The context of a call. */
interface PortalCall {
  context: ServiceContext;
  /** The value of the browser's cookie. */
  secret: string | undefined;
  /** IP address of the browser. */
  address: string;
  userAgent: string;
  /** Changes the cookie; undefined removes it. */
  writeSecret(secret: string | undefined): void;
  /** Called once the fan is known. */
  onFan(fan: PortalFan): void;
}

const { procedure, router } = initTRPC.context<PortalCall>().create(TRPC_OPTIONS);

/** A procedure for anybody. */
const visitorProcedure = procedure.use(async ({ next }) => orTrpcError(await next()));

/** A procedure for a fan who is signed in. */
const fanProcedure = procedure.use(async ({ ctx, next }) => {
  const fan = await withTrpcErrors(() => requirePortalFan(ctx.context, ctx.secret));
  ctx.onFan(fan);
  return orTrpcError(await next({ ctx: { ...ctx, fan } }));
});

const GrantInput = z.strictObject({ grantId: IdText });
const GrantsInput = z.strictObject({ grantIds: z.array(IdText).min(1).max(MOST_GRANTS) });
/** Where access is taken away: whether what the app put on sale stays on sale. */
const Sales = z.strictObject({ keepsSales: z.boolean().default(false) });
const EndApp = Sales.extend({ clientId: IdText });
const Switch = GrantsInput.extend({ action: z.enum(ACTION_SCOPES) });
const TurnOff = Switch.extend(Sales.shape);
const Choose = GrantsInput.extend({ mode: z.enum(GRANT_MODES), ticketIds: TicketIds, ...Sales.shape });
const TicketInput = z.strictObject({ ticketId: IdText });
const PasskeyInput = z.strictObject({ passkeyId: IdText });
const Before = z.strictObject({ before: z.iso.datetime().nullable().default(null) });

export const portalRouter = router({
  session: router({
    get: visitorProcedure.query(({ ctx }) => describeVisit(ctx)),
    end: visitorProcedure.mutation(async ({ ctx }) => {
      await endPortalSession(ctx.context, ctx.secret);
      ctx.writeSecret(undefined);
      return { step: 'phone' as const };
    }),
  }),
  phone: router({
    sendCode: visitorProcedure.input(PhoneInput).mutation(async ({ ctx, input }) => {
      const { secret, ...sent } = await sendPortalCode(ctx.context, ctx.secret, input.phone, ctx.address);
      ctx.writeSecret(secret);
      return describeSent(sent);
    }),
    verifyCode: visitorProcedure.input(CodeInput).mutation(async ({ ctx, input }) => {
      const { secret, step } = await checkPortalCode(ctx.context, ctx.secret, input.code);
      ctx.writeSecret(secret);
      return { step };
    }),
  }),
  passkey: router({
    ask: visitorProcedure.mutation(async ({ ctx }) => {
      const { secret, options } = await askAtPortal(ctx.context, ctx.secret);
      ctx.writeSecret(secret);
      return options;
    }),
    answer: visitorProcedure.input(PasskeyAnswer).mutation(async ({ ctx, input }) => {
      ctx.writeSecret((await enterByPasskey(ctx.context, ctx.secret, input)).secret);
      return { step: 'open' as const };
    }),
  }),
  continuity: router({
    startNew: visitorProcedure.mutation(async ({ ctx }) => {
      const secret = newBrowserSecret();
      await startNewAccount(ctx.context, await portalAtContinuity(ctx.context, ctx.secret, secret));
      ctx.writeSecret(secret);
      return { step: 'open' as const };
    }),
    askSupport: visitorProcedure.mutation(async ({ ctx }) => ({
      code: await supportCode(ctx.context, await portalAtContinuity(ctx.context, ctx.secret, '')),
    })),
  }),
  passkeys: router({
    list: fanProcedure.query(async ({ ctx }) => ({
      most: MOST_PASSKEYS,
      passkeys: (await listPasskeys(ctx.context, ctx.fan.id)).map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
    })),
    begin: fanProcedure.mutation(({ ctx }) => beginPasskey(ctx.context, passkeyFan(ctx.fan))),
    add: fanProcedure.input(NewPasskey).mutation(async ({ ctx, input }) => {
      await addPasskey(ctx.context, passkeyFan(ctx.fan), input, ctx.userAgent);
      return { added: true as const };
    }),
    remove: fanProcedure.input(PasskeyInput).mutation(async ({ ctx, input }) => {
      await removeOwnPasskey(ctx.context, ctx.fan.id, input.passkeyId);
      return { removed: true as const };
    }),
  }),
  number: router({
    sendCode: fanProcedure
      .input(PhoneInput)
      .mutation(async ({ ctx, input }) =>
        describeSent(await sendNewNumberCode(ctx.context, ctx.fan, input.phone, ctx.address)),
      ),
    verifyCode: fanProcedure.input(CodeInput).mutation(async ({ ctx, input }) => {
      await changeNumber(ctx.context, ctx.fan, input.code);
      return { changed: true as const };
    }),
  }),
  apps: router({
    list: fanProcedure.query(async ({ ctx }) =>
      (await listApps(ctx.context, ctx.fan.id)).map((app) => ({
        ...app,
        // the portal is one folder below the login pages, which serve it
        logo: app.logo && `../${app.logo}`,
        access: app.access.map((access) => ({
          ...access,
          firstSignIn: access.firstSignIn.toISOString(),
          lastSignIn: access.lastSignIn.toISOString(),
          lastUsedAt: access.lastUsedAt?.toISOString() ?? null,
        })),
      })),
    ),
    ticketOptions: fanProcedure
      .input(GrantInput)
      .query(({ ctx, input }) => ticketOptions(ctx.context, ctx.fan.id, [input.grantId])),
    turnActionOff: fanProcedure
      .input(TurnOff)
      .mutation(({ ctx, input }) => turnActionOff(ctx.context, ctx.fan.id, input)),
    turnActionOn: fanProcedure.input(Switch).mutation(({ ctx, input }) => turnActionOn(ctx.context, ctx.fan.id, input)),
    chooseTickets: fanProcedure
      .input(Choose)
      .mutation(({ ctx, input: { grantIds, keepsSales, ...choice } }) =>
        chooseTickets(ctx.context, ctx.fan.id, grantIds, choice, { keepsSales }),
      ),
    revoke: fanProcedure.input(EndApp).mutation(async ({ ctx, input: { clientId, ...sales } }) => ({
      ended: await revokeOwnApp(ctx.context, ctx.fan.id, clientId, sales),
    })),
    revokeAll: fanProcedure
      .input(Sales.default({ keepsSales: false }))
      .mutation(async ({ ctx, input }) => ({ ended: await revokeOwnGrants(ctx.context, ctx.fan.id, input) })),
  }),
  tickets: router({
    list: fanProcedure.query(async ({ ctx }) =>
      (await listOwnTickets(ctx.context, ctx.fan.id)).map(({ sale, ...ticket }) => ({
        ...ticket,
        sale: sale && { ...sale, since: sale.since.toISOString() },
      })),
    ),
    takeOffSale: fanProcedure.input(TicketInput).mutation(async ({ ctx, input }) => {
      await takeOwnOffSale(ctx.context, ctx.fan.id, input.ticketId);
      return { ordered: true as const };
    }),
  }),
  account: router({
    holds: fanProcedure.query(({ ctx }) => readHolds(ctx.context, ctx.fan.id)),
    leave: fanProcedure.mutation(async ({ ctx }) => {
      await leave(ctx.context, ctx.fan);
      ctx.writeSecret(undefined);
      return { deleted: true as const };
    }),
  }),
  history: router({
    list: fanProcedure.input(Before).query(async ({ ctx, input }) => {
      const before = input.before === null ? undefined : new Date(input.before);
      const page = await readHistory(ctx.context, ctx.fan.id, before);
      return {
        entries: page.entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
        before: page.before?.toISOString() ?? null,
      };
    }),
  }),
});

export type PortalRouter = typeof portalRouter;

function passkeyFan({ id, phone, secretHash }: PortalFan): PasskeyFan {
  return { owner: portalOwner(secretHash), fan: id, label: phone === null ? 'Fan account' : maskPhone(phone) };
}

/** What the page needs to show the current step, also after a reload. Only a verified fan gets the mode. */
async function describeVisit({ context, secret, onFan }: PortalCall) {
  const fan = await requirePortalFan(context, secret).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'session_not_found') return undefined;
    throw error;
  });
  if (fan) {
    onFan(fan);
    return {
      step: 'open' as const,
      /** Masked; null while the number that the fan had is another fan's. */
      phone: fan.phone === null ? null : maskPhone(fan.phone),
      mode: fan.mode,
      /** Until when the number can be changed without another sign-in; null where it is fixed. */
      numberChangeUntil: fan.mode === 'sandbox' ? null : after(fan.authenticatedAt, NUMBER_CHANGE_WINDOW).toISOString(),
      /** Until when the fan can get a copy of all data, or leave, without another sign-in. */
      freshUntil: after(fan.authenticatedAt, NUMBER_CHANGE_WINDOW).toISOString(),
      expiresAt: fan.expiresAt.toISOString(),
    };
  }
  const found = await findPortalChallenge(context, secret);
  if (!found) return { step: 'phone' as const };
  if (found.step === 'continuity') {
    return {
      step: found.step,
      phone: maskPhone(found.phone),
      unprovedSince: (await unprovedSince(context, found))?.toISOString() ?? null,
    };
  }
  return {
    step: found.step,
    phone: maskPhone(found.phone),
    resendAt: found.resendAt.toISOString(),
    expiresAt: found.expiresAt.toISOString(),
    triesLeft: SESSION_TRIES - found.wrongTries,
  };
}
