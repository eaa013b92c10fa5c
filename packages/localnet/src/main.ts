/** `npm run localnet`: runs the local network alone until SIGINT or SIGTERM. */
import { parseArgs } from 'node:util';
import { CLUSTER_DELAYS } from '@fan-api/solana-wire/local-network';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import { LocalnetError } from './localnet-error.ts';
import { isLoopback, startLocalnet } from './start-localnet.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env.LOCALNET_PORT || '8899' },
    host: { type: 'string', default: '127.0.0.1' },
    'confirmed-after': { type: 'string', default: String(CLUSTER_DELAYS.confirmed) },
    'finalized-after': { type: 'string', default: String(CLUSTER_DELAYS.finalized) },
    'data-dir': { type: 'string', default: process.env.DATA_DIR || '.data' },
  },
});

try {
  const localnet = await startLocalnet({
    port: numberOf('--port', values.port, 65_534),
    host: values.host,
    delays: {
      confirmed: numberOf('--confirmed-after', values['confirmed-after'], 1_000),
      finalized: numberOf('--finalized-after', values['finalized-after'], 1_000),
    },
    dataDir: values['data-dir'],
    programs: [readLocalProgram()],
  });
  console.info(`local network  ${localnet.url}  (WebSocket on ${localnet.port} and ${localnet.port + 1})`);
  if (!isLoopback(values.host)) {
    console.warn(`open to everyone who can reach ${values.host}, and its admin key is public`);
  }
  console.info(`ticket program ${LOCAL_PROGRAM_ID}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void localnet.stop());
} catch (error) {
  if (!(error instanceof LocalnetError || error instanceof RangeError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function numberOf(flag: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  console.error(`${flag} must be a number from 0 to ${most}, not ${text}`);
  process.exit(1);
}
