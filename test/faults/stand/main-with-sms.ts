import { pino } from 'pino';
import { openRuntime } from '../../../adapters/process/runtime.ts';
import { serve } from '../../../adapters/process/serve.ts';
import { writeStarterKit } from '../../../adapters/process/starter-kit-file.ts';
import { readConfig } from '../../../src/platform/config/read-config.ts';
import { createTwilioProvider } from '../../../src/sign-in/verification/twilio-provider.ts';
import { ACCOUNT_SID, API_KEY_SECRET, API_KEY_SID, SERVICE_SID } from '../../support/twilio-stand-in.ts';

/** The service with the SMS provider at another address, `SMS_URL`: there is no variable for that, so that nobody sets it. */
const { SMS_URL, ...env } = process.env;
const config = readConfig(env);
// all codes go to one range, and few are entered
Object.assign(config.codeLimits, { perRange: 1000, breakerPercent: 0 });
const opened = await openRuntime(config);
opened.runtime.verification = createTwilioProvider({
  accountSid: ACCOUNT_SID,
  username: API_KEY_SID,
  password: API_KEY_SECRET,
  serviceSid: SERVICE_SID,
  baseUrl: SMS_URL ?? '',
  log: pino({ level: config.logLevel }),
});
const running = await serve(config, { opened });
if (running.kit) await writeStarterKit(config.dataDir, running.kit);
