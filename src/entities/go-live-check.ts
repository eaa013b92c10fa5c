import { defineEntity, p } from '@mikro-orm/core';
import type { JWK } from 'jose';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { Client } from './client.ts';
import { Partner } from './partner.ts';
import { uniqueSqlIndex } from './sql-index.ts';

export const CHECK_VERDICTS = ['passed', 'failed', 'advice', 'not_observed', 'open', 'watching'] as const;

/**
 * The verdict of one check: `open` until it was started and a request arrived, `watching` while a fault may still show. `advice`: the
 * standards allow the behavior, but a stricter client is safer.
 */
export type CheckVerdict = (typeof CHECK_VERDICTS)[number];

/** One line of a sheet. */
export interface CheckResult {
  /** The name of the check (`go-live-check/checks.ts`). */
  check: string;
  verdict: CheckVerdict;
  /** What was seen, in a sentence or two. */
  seen: string;
  /** When the check was started last, RFC 3339; null where it never was. */
  startedAt: string | null;
}

/** A key of one run only. It signs for no issuer but the run's own, so it is worthless elsewhere. */
export interface RunKey {
  kid: string;
  publicJwk: JWK;
  privateJwk: JWK;
}

/** The service plays a hostile authorization server and API against one sandbox client. */
const GoLiveRunSchema = defineEntity({
  name: 'GoLiveRun',
  indexes: [uniqueSqlIndex('go_live_run_one_open', 'on go_live_run (client_id) where finished_at is null')],
  properties: {
    id: primaryId('chk'),
    partner: () => p.manyToOne(Partner).index(),
    /** The sandbox client that is checked. */
    client: () => p.manyToOne(Client),
    /** The production client whose review shows the sheet. */
    productionClient: () => p.manyToOne(Client).nullable().index(),
    /** `member:…` */
    startedBy: p.string().length(120),
    startedAt: p.datetime(),
    expiresAt: p.datetime().index(),
    finishedAt: p.datetime().nullable(),
    /** Those of the sandbox client when the run started. */
    redirectUris: p.array(),
    /** Those of the production client when the run was attached to it. */
    productionRedirectUris: p.array().nullable(),
    /** Two keys: one signs, the other one replaces it in the check of key rotation. Null once the run is over. */
    keys: p.json<RunKey[]>().nullable().hidden(),
    /** Requests to the run's addresses that were recorded. */
    requests: p.integer().default(0),
    /** The results; null while the run goes on. */
    sheet: p.json<CheckResult[]>().nullable(),
  },
});

export class GoLiveRun extends GoLiveRunSchema.class {}
GoLiveRunSchema.setClass(GoLiveRun);

/** One start of one check. Of the attempts of a check the last counts. */
const GoLiveAttemptSchema = defineEntity({
  name: 'GoLiveAttempt',
  indexes: [uniqueSqlIndex('go_live_attempt_one_open', 'on go_live_attempt (run_id) where ended_at is null')],
  properties: {
    id: p.bigint().primary().autoincrement(),
    run: () => p.manyToOne(GoLiveRun).deleteRule('cascade').index(),
    check: p.string().length(40).name('check_name'),
    startedAt: p.datetime().index(),
    /** When the next check began or the run was finished: from then on sign-ins belong to another attempt. */
    endedAt: p.datetime().nullable(),
    /** When the partner said that its application has finished it. */
    doneAt: p.datetime().nullable(),
  },
});

export class GoLiveAttempt extends GoLiveAttemptSchema.class {}
GoLiveAttemptSchema.setClass(GoLiveAttempt);

export const CHECK_SECRET_KINDS = ['code', 'access', 'refresh'] as const;

/** The authorize request that a code was issued for. */
export interface CodeFacts {
  redirectUri: string;
  codeChallenge: string;
  scope: string;
  nonce: string | null;
}

/** A code or token of a run. It works nowhere else. */
const GoLiveSecretSchema = defineEntity({
  name: 'GoLiveSecret',
  properties: {
    hash: p.string().length(43).primary(),
    attempt: () => p.manyToOne(GoLiveAttempt).deleteRule('cascade').index(),
    kind: p.enum(CHECK_SECRET_KINDS),
    /** The generation of the tokens of one sign-in: 1 from the code, 2 from the first refresh, and so on. */
    generation: p.smallint(),
    facts: p.json<CodeFacts>(),
    createdAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  },
});

export class GoLiveSecret extends GoLiveSecretSchema.class {}
GoLiveSecretSchema.setClass(GoLiveSecret);

/** A request to a run's address, and how it was answered. Contains no code, token or transaction. */
const GoLiveEventSchema = defineEntity({
  name: 'GoLiveEvent',
  properties: {
    id: p.bigint().primary().autoincrement(),
    attempt: () => p.manyToOne(GoLiveAttempt).deleteRule('cascade').index(),
    at: p.datetime(),
    kind: p.string().length(20),
    facts: p.json<Record<string, unknown>>(),
  },
});

export class GoLiveEvent extends GoLiveEventSchema.class {}
GoLiveEventSchema.setClass(GoLiveEvent);
