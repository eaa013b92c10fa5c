import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { SandboxDescription } from './sandbox-description.ts';
import { type Consent, type SignInUser, walkSignIn } from './sign-in.ts';

/** What a test asks the sandbox itself for; all else is the service's own. */
export interface Control {
  description: SandboxDescription;
  reset(): Promise<void>;
}

/** Body of a sign-in: the authorization request, a test user, and what it allows. */
type SignInBody = SignInUser & Consent & { url: string };

/**
 * Answers by JSON: `GET /` with the description, `POST /reset`, and `POST /sign-in` with where the browser ends. A call that fails is
 * answered with 400 and `error`.
 * @returns what ends it
 */
export async function serveControl(listening: { port: number; host: string }, control: Control): Promise<() => void> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    answer(request, control).then(
      (body) => response.end(JSON.stringify(body)),
      (error: Error) => response.writeHead(400).end(JSON.stringify({ error: error.message })),
    );
  });
  server.listen(listening);
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

async function answer(request: IncomingMessage, { description, reset }: Control): Promise<object> {
  switch (`${request.method} ${request.url}`) {
    case 'GET /':
      return description;
    case 'POST /reset':
      await reset();
      return { reset: true };
    case 'POST /sign-in': {
      const { url, phone, code, ...consent } = (await json(request)) as SignInBody;
      return { callback: await walkSignIn(url, description.login, { phone, code }, consent) };
    }
    default:
      throw new Error(`there is no ${request.method} ${request.url}; there are GET /, POST /reset and POST /sign-in`);
  }
}
