import { defineEntity, p } from '@mikro-orm/core';
import { MODES } from '../platform/mode.ts';
import { Permit } from './permit.ts';
import { sqlIndex } from './sql-index.ts';

/**
 * A permit that is to be issued, or closed. Triggers on `permit` add the row of one to issue, and the closing of an event those of its
 * permits; it stays until that is final. So a job finds its work without reading other permits.
 */
const WaitingPermitSchema = defineEntity({
  name: 'WaitingPermit',
  indexes: [
    sqlIndex('waiting_permit_due', 'on waiting_permit (mode, closes, retry_at) where signature is null'),
    sqlIndex(
      'waiting_permit_set_aside',
      'on waiting_permit (permit_id) where tries > 0 and signature is null and not closes',
    ),
  ],
  properties: {
    permit: () => p.oneToOne(Permit).primary().deleteRule('cascade'),
    mode: p.enum(MODES),
    /** Whether it is to be closed; otherwise issued. */
    closes: p.boolean().default(false),
    since: p.datetime(),
    /**
     * When it is due. A process that takes it moves this on, so that others skip it for a while. Null: no app may list its ticket yet.
     * The epoch: one just may, so a fan waits for it.
     */
    retryAt: p.datetime().nullable(),
    /** Refusals of a transaction with this permit alone. */
    tries: p.integer().default(0),
    /** The most permits in a transaction with it: a refused transaction is halved until the bad permit is found. */
    together: p.smallint().nullable(),
    /** Why it could not be issued or closed; null before the first try. */
    reason: p.string().length(300).nullable(),
    /** The transaction that issues or closes it, while that may still land or is not final. */
    signature: p.string().length(88).nullable().index(),
  },
});

export class WaitingPermit extends WaitingPermitSchema.class {}
WaitingPermitSchema.setClass(WaitingPermit);

/**
 * `open`: recorded, and perhaps sent. `landed`: seen at `confirmed`, so a fork may still drop it. The others are ends: `final`, `failed`
 * (executed, with an error), `refused` (forwarded by no node), `dropped` (its blockhash expired).
 */
export const ISSUE_STATES = ['open', 'landed', 'final', 'failed', 'refused', 'dropped'] as const;

/** A transaction that issues or closes permits, recorded before it is sent. */
const IssueTransactionSchema = defineEntity({
  name: 'IssueTransaction',
  indexes: [
    sqlIndex('issue_transaction_to_look', "on issue_transaction (mode, look_at) where state in ('open', 'landed')"),
    { properties: ['createdAt'] },
    sqlIndex('issue_transaction_open', "on issue_transaction (mode) where state = 'open'"),
  ],
  properties: {
    /** Base58. */
    signature: p.string().length(88).primary(),
    mode: p.enum(MODES),
    closes: p.boolean().default(false),
    state: p.enum(ISSUE_STATES).default('open'),
    /** The signed transaction in base64, while it may have to be sent again. */
    bytes: p.text().nullable(),
    /** The last block height at which its blockhash is valid. */
    lastValidHeight: p.bigint(),
    /** The slot at which its blockhash was read. */
    slot: p.bigint(),
    permits: p.integer(),
    /** The day (UTC) whose budget pays for it, as `2026-11-27`. */
    day: p.string().length(10),
    /** Lamports: the expected fee, and once it landed, the fee paid. */
    fee: p.bigint(),
    /** Lamports for accounts; negative where they come back. */
    rent: p.bigint(),
    reason: p.string().length(300).nullable(),
    createdAt: p.datetime(),
    sentAt: p.datetime().nullable(),
    /** When a process looks at it next. */
    lookAt: p.datetime(),
  },
});

export class IssueTransaction extends IssueTransactionSchema.class {}
IssueTransactionSchema.setClass(IssueTransaction);

/**
 * The cost of creating events and permits onchain on a day (UTC), and in a row of its own that of closing them. Transactions under way
 * count with their expected cost. Of closings, `rent` and `event_cost` are negative: they come back.
 */
const IssueDaySchema = defineEntity({
  name: 'IssueDay',
  properties: {
    mode: p.enum(MODES).primary(),
    day: p.string().length(10).primary(),
    closes: p.boolean().primary().default(false),
    events: p.integer().default(0),
    permits: p.integer().default(0),
    /** Transactions that landed or may land. */
    transactions: p.integer().default(0),
    /** Transactions that failed, were refused or dropped. */
    lost: p.integer().default(0),
    /** Lamports for permits; of closings, the fees of events too. */
    fees: p.bigint().default(0),
    rent: p.bigint().default(0),
    /** Lamports for events. */
    eventCost: p.bigint().default(0),
  },
});

export class IssueDay extends IssueDaySchema.class {}
IssueDaySchema.setClass(IssueDay);

/** The rate limit of a mode, shared by all processes. Its row is locked while transactions are recorded. */
const IssuePaceSchema = defineEntity({
  name: 'IssuePace',
  properties: {
    mode: p.enum(MODES).primary(),
    /** How many permits may be issued now; grows with time. */
    tokens: p.double().default(0),
    at: p.datetime(),
    /** Whether a permit is issued once an app may list its ticket; otherwise at its import. Set by `ISSUE_WHEN`. */
    onDemand: p.boolean().default(false),
  },
});

export class IssuePace extends IssuePaceSchema.class {}
IssuePaceSchema.setClass(IssuePace);
