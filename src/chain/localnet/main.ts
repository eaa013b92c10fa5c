/** `npm run localnet`: the local test network alone, until it is told to stop. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { LOCAL_PROGRAM_ID } from '../program/local-keys.ts';
import { LocalnetError } from './localnet-error.ts';
import { startLocalnet } from './start-localnet.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env.LOCALNET_PORT ?? '8899' },
    'data-dir': { type: 'string', default: process.env.DATA_DIR ?? '.data' },
  },
});

try {
  const localnet = await startLocalnet({
    port: portOf(values.port),
    dataDir: values['data-dir'],
    programs: [{ id: LOCAL_PROGRAM_ID, elf: readFileSync(new URL('../program/permit.so', import.meta.url)) }],
  });
  console.info(`local network  ${localnet.url}  (WebSocket on ${localnet.port} and ${localnet.port + 1})`);
  console.info(`ticket program ${LOCAL_PROGRAM_ID}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void localnet.stop());
} catch (error) {
  if (!(error instanceof LocalnetError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_535) return port;
  console.error(`LOCALNET_PORT must be a number from 0 to 65534, not ${text}`);
  process.exit(1);
}
