import { startSandbox } from '@fan-api/sandbox';

export const sandbox = await startSandbox({ seed: 7, users: 3, redirectUris: ['http://localhost:4000/callback'] });

/** Lets a fan sign in where your application sends the browser. @returns where the browser ends */
export function signInAsFan(url: string): Promise<URL> {
  const [fan] = sandbox.users;
  if (fan === undefined) throw new Error('the sandbox has no test user');
  return sandbox.signIn(fan, { url, actions: ['fan:tickets:read'] });
}
