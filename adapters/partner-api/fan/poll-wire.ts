import { z } from 'zod';
import { MOST_SETS } from '../../../src/partners/notification/poll-notifications.ts';

/** The shapes of polls on the wire. Unknown members are ignored, as RFC 8936 §2.2 allows. @see RFC 8936 §2.2, §2.3 */

const MOST_ACKNOWLEDGED = 1_000;
const COUNT = { error: 'must be a whole number from 0' };
const JTI = { error: 'must be a list of up to 1,000 jti' };
const ERRORS = { error: 'must be an object with { "err", "description" } under each jti' };

const SetError = z.object({ err: z.string(ERRORS).max(100), description: z.string(ERRORS).max(1_000).default('') });

export const PollSetsRequest = z.object(
  {
    maxEvents: z
      .int(COUNT)
      .min(0, COUNT)
      .default(MOST_SETS)
      .describe(`Sets to answer with, at most ${MOST_SETS}. With 0 the poll only acknowledges`),
    returnImmediately: z
      .boolean({ error: 'must be true or false' })
      .default(false)
      .describe('Without it, a poll that finds nothing is held for up to 20 seconds'),
    ack: z
      .array(z.string(JTI).max(100, JTI), JTI)
      .max(MOST_ACKNOWLEDGED, JTI)
      .default([])
      .describe('The jti that you have stored'),
    setErrs: z
      .record(z.string(), SetError, ERRORS)
      .default({})
      .describe('The jti that you refuse, with an error of RFC 8935 §2.4'),
  },
  { error: 'The body must be a JSON object' },
);

export const PollSetsResponse = z.strictObject({
  sets: z
    .record(z.string(), z.string())
    .describe('Security Event Tokens by their jti, in the order in which they are to be read'),
  moreAvailable: z.boolean(),
});
export type PollSetsResponse = z.infer<typeof PollSetsResponse>;
