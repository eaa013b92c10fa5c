/** A process that delivers notifications until it is killed. Its configuration is in `DELIVERER_ENV`. */
import { openRuntime } from '../../../adapters/process/runtime.ts';
import { createDeliverer } from '../../../src/partners/notification/deliver-notifications.ts';
import { readConfig } from '../../../src/platform/config/read-config.ts';
import { createContext } from '../../../src/runtime.ts';

const config = readConfig(JSON.parse(process.env.DELIVERER_ENV ?? '{}'));
config.notifications.rate = 500;
const { runtime } = await openRuntime(config, { share: true });
process.send?.('ready');
await createDeliverer(() => createContext(runtime, null), { leaseSeconds: 2 }).run();
