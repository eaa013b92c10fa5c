import { beginParts } from '../../adapters/process/begin-parts.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';

/** As `adapters/process/main.ts`, with a local network that is final at once: not how long a cluster takes to vote is measured. */
const config = readConfig(process.env);
config.localnetDelays = { confirmed: 0, finalized: 0 };
const begun = beginParts(config);
await begun.launched;
const { runProcess } = await import('../../adapters/process/run-process.ts');
await runProcess(config, begun);
