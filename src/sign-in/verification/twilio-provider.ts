import type { Logger } from 'pino';
import twilio from 'twilio';
import { z } from 'zod';
import type { TwilioConfig } from '../../platform/config/config.ts';
import { tooManyTries } from '../authorization/find-session.ts';
import { codeExpired } from './code-refusals.ts';
import type { VerificationProvider } from './provider.ts';
import { brokenAnswer, checkFailure, refusesCode, sendFailure, type TwilioFailure } from './twilio-failure.ts';

export interface TwilioOptions extends Omit<TwilioConfig, 'fallbackServiceSid'> {
  log: Logger;
  /** For the log, where there is more than one service. */
  name?: string;
  /** Milliseconds per call, including the connection. */
  timeLimit?: number;
  /** Twilio's own by default. */
  baseUrl?: string;
}

/** Milliseconds. Twilio usually answers within one second. */
const TIME_LIMIT = 5000;
/** Bytes; an answer has about 1,000. */
const MAX_ANSWER = 65_536;

const verificationSid = z.string().regex(/^VE[0-9a-f]{32}$/i);
const Sent = z.object({ sid: verificationSid, status: z.literal('pending') });
const Checked = z.object({
  sid: z.string(),
  to: z.string(),
  status: z.enum(['pending', 'approved', 'canceled', 'max_attempts_reached', 'deleted', 'failed', 'expired']),
});

/**
 * Codes by SMS through Twilio Verify v2. The reference is the SID of a verification, which lives ten minutes; within them
 * Twilio sends the same code again. No request is retried: one without an answer may have been carried out.
 * @see https://www.twilio.com/docs/verify/api/verification
 */
export function createTwilioProvider(options: TwilioOptions): VerificationProvider {
  const { log, serviceSid, name = 'twilio' } = options;
  const service = connect(options).verify.v2.services(serviceSid);

  function refuse(call: 'send' | 'check', { error, level, facts }: TwilioFailure): never {
    log[level]({ provider: name, call, ...facts }, MESSAGE[level]);
    throw error;
  }

  return {
    name,
    forProduction: true,
    async send(phone) {
      const answer = await service.verifications
        .create({ to: phone, channel: 'sms' })
        .catch((error: unknown) => refuse('send', sendFailure(error)));
      const sent = Sent.safeParse(answer);
      return sent.success ? sent.data.sid : refuse('send', brokenAnswer('not a pending verification'));
    },
    async check(phone, reference, code) {
      // of a provider that is no longer configured
      if (!verificationSid.safeParse(reference).success) throw codeExpired();
      const answer = await service.verificationChecks
        .create({ verificationSid: reference, code })
        .catch((error: unknown) => (refusesCode(error) ? undefined : refuse('check', checkFailure(error))));
      if (answer === undefined) return false;
      const checked = Checked.safeParse(answer);
      if (!checked.success) return refuse('check', brokenAnswer('not a verification check'));
      const { status, sid, to } = checked.data;
      if (status === 'pending') return false;
      if (status === 'max_attempts_reached') throw tooManyTries();
      if (status !== 'approved') throw codeExpired();
      if (sid !== reference || to !== phone) return refuse('check', brokenAnswer('approval of another verification'));
      return true;
    },
  };
}

const MESSAGE: Record<TwilioFailure['level'], string> = {
  info: 'Twilio refused',
  warn: 'Twilio can not be used for the moment',
  error: 'Twilio refuses us: check the credentials, the Verify service and the account',
};

/** The package's client with a limit per request; its own are 30 s per step of a request. */
function connect(options: TwilioOptions) {
  const { accountSid, username, password, timeLimit = TIME_LIMIT, baseUrl } = options;
  const httpClient = new twilio.RequestClient({ timeout: timeLimit, autoRetry: false });
  httpClient.axios.defaults.maxContentLength = MAX_ANSWER;
  httpClient.axios.interceptors.request.use((request) => {
    request.signal = AbortSignal.timeout(timeLimit);
    return request;
  });
  const client = twilio(username, password, { accountSid, httpClient });
  if (baseUrl !== undefined) client.verify.baseUrl = baseUrl;
  return client;
}
