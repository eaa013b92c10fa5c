import { readFields } from '@fan-api/cosign-policy/read-fields';
import { DISCRIMINATOR_SIZE, EVENT_DISCRIMINATORS, EVENTS, sizeOf } from '@fan-api/ticket-program/description';
import { z } from 'zod';

/** A transfer that the program logged. Addresses are in base58. */
export interface PermitTransfer {
  permit: string;
  from: string;
  to: string;
}

const EVENT = EVENTS.find((event) => event.name === 'PermitTransferred');
const LOG_PREFIX = 'Program data: ';

/** The part of a `getTransaction` answer with its error and logs. */
export const ExecutedTransaction = z
  .object({
    meta: z
      .object({
        err: z.custom<unknown>((err) => err !== undefined),
        logMessages: z.array(z.string()).nullish(),
      })
      .nullish(),
  })
  .nullable();

/**
 * The transfers of a landed transaction, none where it failed; undefined where the node does not have it or keeps no logs.
 * @see describe-program.ts, the event PermitTransferred
 */
export function permitTransfersIn(executed: z.infer<typeof ExecutedTransaction>): PermitTransfer[] | undefined {
  if (!executed?.meta) return undefined;
  const { err, logMessages } = executed.meta;
  if (err !== null) return [];
  return logMessages?.flatMap(transferOf);
}

function transferOf(log: string): PermitTransfer[] {
  if (!log.startsWith(LOG_PREFIX)) return [];
  const data = Buffer.from(log.slice(LOG_PREFIX.length), 'base64');
  const discriminator = data.subarray(0, DISCRIMINATOR_SIZE);
  if (!discriminator.equals(EVENT_DISCRIMINATORS.PermitTransferred)) return [];
  const fields = data.subarray(DISCRIMINATOR_SIZE);
  if (EVENT === undefined || fields.length !== sizeOf(EVENT.fields)) return [];
  const { permit, from, to } = readFields(EVENT.fields, fields);
  return [{ permit, from, to }];
}
