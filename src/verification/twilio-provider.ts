import type { Logger } from 'pino';
import twilio from 'twilio';
import { z } from 'zod';
import { tooManyTries } from '../authorization/find-session.ts';
import type { TwilioConfig } from '../config/config.ts';
import { codeExpired } from './code-refusals.ts';
import type { VerificationProvider } from './provider.ts';
import { brokenAnswer, checkFailure, refusesCode, sendFailure, type TwilioFailure } from './twilio-failure.ts';

/** What one provider is bound to: an account and one Verify service of it. */
export interface TwilioOptions extends Omit<TwilioConfig, 'fallbackServiceSid'> {
  log: Logger;
  /** For the log, where there is more than one service. */
  name?: string;
  /** Milliseconds for one call, connecting included. */
  timeLimit?: number;
  /** Where Twilio is; its own address by default. */
  baseUrl?: string;
}

/** Milliseconds: a fan waits for this, and Twilio answers within one second on most days. */
const TIME_LIMIT = 5000;
/** Bytes; an answer has about 1,000. */
const LONGEST_ANSWER = 65_536;

const verificationSid = z.string().regex(/^VE[0-9a-f]{32}$/i);
const Sent = z.object({ sid: verificationSid, status: z.literal('pending') });
const Checked = z.object({
  sid: z.string(),
  to: z.string(),
  status: z.enum(['pending', 'approved', 'canceled', 'max_attempts_reached', 'deleted', 'failed', 'expired']),
});

/**
 * Codes by Twilio Verify, version 2, in SMS. The reference is the SID of the verification, which lives ten minutes at
 * Twilio; within them a code sent again to the same number is the same one. Nothing is ever sent twice by this
 * provider: a request without an answer may have been carried out.
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
      // made by another provider, which is no longer configured
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
      // an approval counts only for the number and the verification that were asked about
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

/** The package's client, with limits that it lacks: its own are 30 s, and per step of a request rather than in all. */
function connect(options: TwilioOptions) {
  const { accountSid, username, password, timeLimit = TIME_LIMIT, baseUrl } = options;
  const httpClient = new twilio.RequestClient({ timeout: timeLimit, autoRetry: false });
  httpClient.axios.defaults.maxContentLength = LONGEST_ANSWER;
  httpClient.axios.interceptors.request.use((request) => {
    request.signal = AbortSignal.timeout(timeLimit);
    return request;
  });
  const client = twilio(username, password, { accountSid, httpClient });
  if (baseUrl !== undefined) client.verify.baseUrl = baseUrl;
  return client;
}
