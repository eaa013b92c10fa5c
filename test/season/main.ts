/** `npm run season [-- --tickets N] [--kill] [--seed N] [--stay]`: a company's season against the service. */
import { parseArgs } from 'node:util';
import { printSeason } from './print-season.ts';
import { playSeason } from './season.ts';
import { openStand } from './stand.ts';
import { stayOn } from './stay.ts';

const { values } = parseArgs({
  options: {
    tickets: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    kill: { type: 'boolean', default: false },
    stay: { type: 'boolean', default: false },
  },
});
const [tickets, seed] = [wholeOf('--tickets', values.tickets), wholeOf('--seed', values.seed)];

console.log(`A season of ${tickets} tickets${values.kill ? ', with kills' : ''}. Again: --seed ${seed}`);
const stand = await openStand({ confirmedAfter: 2, finalizedAfter: 32 });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stand.close().finally(() => process.exit()));
}
let keepsFiles = false;
try {
  const season = await playSeason(stand, { tickets, kill: values.kill, seed });
  process.stdout.write(printSeason(season));
  keepsFiles = season.violations.length > 0;
  if (keepsFiles) console.log(`The gate's memory and all logs stay in ${stand.folder}.`);
  process.exitCode = keepsFiles ? 1 : 0;
  if (values.stay) await stayOn(stand);
} finally {
  await stand.close(keepsFiles);
}

function wholeOf(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`${flag} must be a whole number, not ${text}`);
  process.exit(2);
}
