/** One of several processes over one folder: refreshes each time it is told to, and writes which refresh tokens it has sent. */
import { createInterface } from 'node:readline';
import { openAuthServer, openSession } from '@fan-api/sdk';
import { fileTokenStore } from '@fan-api/sdk/node';

const [issuer = '', clientId = '', folder = ''] = process.argv.slice(2);
const sent: string[] = [];
const authServer = openAuthServer({
  issuer,
  clientId,
  redirectUri: 'http://localhost:4000/callback',
  async fetch(request) {
    const token = new URLSearchParams(await request.clone().text()).get('refresh_token');
    if (token !== null) sent.push(token);
    return fetch(request);
  },
});
const session = openSession({ authServer, store: fileTokenStore(folder), key: 'fan' });
await authServer.metadata();
process.stdout.write('ready\n');
// a line is the access token that was refused
for await (const refused of createInterface({ input: process.stdin })) {
  const token = await session.accessToken({ refused }).catch((error: unknown) => String(error));
  process.stdout.write(`${JSON.stringify({ token, sent: sent.splice(0) })}\n`);
}
