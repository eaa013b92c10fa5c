import type { Running } from '../../../adapters/process/serve.ts';
import { playgroundUrl } from '../../../adapters/public/playground/surface.ts';
import { Ticket } from '../../../src/entities/ticket.ts';
import { createContext } from '../../../src/runtime.ts';
import { listOwnTestUsers } from '../../../src/sandbox/test-users.ts';
import type { SandboxDescription } from './sandbox-description.ts';

const MOST_USERS = 50;

/** Describes a running sandbox. @throws Error where it has no starter kit or no network */
export async function describeSandbox(
  { opened: { runtime }, kit }: Running,
  { sandboxKey, control }: { sandboxKey: string; control: string },
): Promise<SandboxDescription> {
  const { sandbox } = runtime.chains;
  if (kit === undefined || sandbox === undefined) throw new Error('the sandbox has no starter kit or no network');
  const context = createContext(runtime, null);
  const users = await listOwnTestUsers(context, kit.client_id, MOST_USERS);
  const owned = { owner: { $in: users.map(({ id }) => id) } };
  const tickets = await context.em.find(Ticket, owned, { populate: ['ticketType.event'], orderBy: { id: 'asc' } });
  const ticketsOf = (user: string) =>
    tickets
      .filter(({ owner }) => owner?.id === user)
      .map(({ id, ticketType }) => ({
        id,
        event_name: ticketType.event.name,
        ticket_type_name: ticketType.name,
      }));
  return {
    issuer: kit.auth_url,
    api: kit.api_url,
    login: kit.login_url,
    playground: playgroundUrl(runtime),
    client_id: kit.client_id,
    redirect_uris: kit.redirect_uris,
    scopes: kit.scopes,
    test_users: users.map((user) => ({ ...user, tickets: ticketsOf(user.id) })),
    rpc_url: sandbox.publicRpcUrl ?? '',
    program_id: sandbox.programId,
    sandbox_key: sandboxKey,
    control,
  };
}

/** The description for people. */
export function screenOf(sandbox: SandboxDescription): string {
  return [
    '',
    '  The sandbox is ready. Ctrl-C ends it and removes its data.',
    '',
    `    playground   ${sandbox.playground}`,
    `    issuer       ${sandbox.issuer}`,
    `    Fan API      ${sandbox.api}`,
    `    client_id    ${sandbox.client_id}`,
    ...sandbox.test_users.map(({ phone, code }) => `    test user    ${phone}   code ${code}`),
    `    network      ${sandbox.rpc_url}   program ${sandbox.program_id}`,
    `    sandbox key  ${sandbox.sandbox_key}`,
    `    control      ${sandbox.control}`,
    '',
    '',
  ].join('\n');
}
