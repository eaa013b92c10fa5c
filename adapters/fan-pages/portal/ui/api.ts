/** The calls of the portal to its server: tRPC, one request per call, bound to the visit by a cookie. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser';
import { createTRPCClient, httpLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { GrantMode } from '../../../../src/entities/consent-grant.ts';
import type { PortalRouter } from '../router.ts';

type Inputs = inferRouterInputs<PortalRouter>;
type Outputs = inferRouterOutputs<PortalRouter>;

export type Visit = Outputs['session']['get'];
export type OpenVisit = Extract<Visit, { step: 'open' }>;
export type AppAccess = Outputs['apps']['list'][number];
export type Access = AppAccess['access'][number];
export type TicketOption = Outputs['apps']['ticketOptions'][number];
export type TicketChoice = { grantIds: string[]; mode: GrantMode; ticketIds: string[]; keepsSales: boolean };
export type OwnTicket = Outputs['tickets']['list'][number];
export type Action = Inputs['apps']['turnActionOff']['action'];
type Passkeys = Outputs['passkeys']['list'];
export type Passkey = Passkeys['passkeys'][number];
export type Holds = Outputs['account']['holds'];
export type HistoryEntry = Outputs['history']['list']['entries'][number];

/** @param base the address of the portal, with a trailing slash */
export function createPortalApi(base: string) {
  const client = createTRPCClient<PortalRouter>({ links: [httpLink({ url: new URL('trpc', base).href })] });
  return {
    visit: () => client.session.get.query(),
    signOut: () => client.session.end.mutate(),
    sendCode: (phone: string) => client.phone.sendCode.mutate({ phone }),
    verifyCode: (code: string) => client.phone.verifyCode.mutate({ code }),
    askPasskey: () => client.passkey.ask.mutate(),
    answerPasskey: (answer: AuthenticationResponseJSON) => client.passkey.answer.mutate(answer),
    startNew: () => client.continuity.startNew.mutate(),
    askSupport: () => client.continuity.askSupport.mutate(),
    passkeys: () => client.passkeys.list.query(),
    beginPasskey: () => client.passkeys.begin.mutate(),
    addPasskey: (made: RegistrationResponseJSON) => client.passkeys.add.mutate(made),
    removePasskey: (passkeyId: string) => client.passkeys.remove.mutate({ passkeyId }),
    sendNewNumberCode: (phone: string) => client.number.sendCode.mutate({ phone }),
    changeNumber: (code: string) => client.number.verifyCode.mutate({ code }),
    apps: () => client.apps.list.query(),
    ticketOptions: (grantId: string) => client.apps.ticketOptions.query({ grantId }),
    turnOff: (grantIds: string[], action: Action, keepsSales: boolean) =>
      client.apps.turnActionOff.mutate({ grantIds, action, keepsSales }),
    turnOn: (grantIds: string[], action: Action) => client.apps.turnActionOn.mutate({ grantIds, action }),
    chooseTickets: (choice: TicketChoice) => client.apps.chooseTickets.mutate(choice),
    revoke: (clientId: string, keepsSales: boolean) => client.apps.revoke.mutate({ clientId, keepsSales }),
    revokeAll: (keepsSales: boolean) => client.apps.revokeAll.mutate({ keepsSales }),
    tickets: () => client.tickets.list.query(),
    takeOffSale: (ticketId: string) => client.tickets.takeOffSale.mutate({ ticketId }),
    holds: () => client.account.holds.query(),
    leave: () => client.account.leave.mutate(),
    history: (before: string | null) => client.history.list.query({ before }),
    now: () => Date.now(),
  };
}

export type PortalApi = ReturnType<typeof createPortalApi>;
