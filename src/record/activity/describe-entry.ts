import { idOf, isId, isUuid, type Uuid } from '../../platform/identifier/type-id.ts';
import { maskPhone } from '../../platform/phone-number.ts';
import { fixOf } from './fix-of.ts';
import { calledBy, describeOperation, OK, outcomeOfAudit } from './operations.ts';
import type { RequestRow } from './request-rows.ts';
import { SUBJECT_PREFIX } from './subject.ts';
import type { AuditRow, ClaimRow, GrantRow, ListingRow, SessionRow, SignatureRow } from './timeline-statements.ts';

const REFERENCE_KINDS = ['client', 'grant', 'fan', 'session', 'ticket', 'permit', 'claim'] as const;
type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** Identifiers of what an entry is about. Each has a timeline of its own. */
export type References = Record<ReferenceKind | 'requestId', string | null>;

/** The source of an entry. */
export const ENTRY_KINDS = ['request', 'session', 'grant', 'signature', 'listing', 'claim', 'audit'] as const;

export interface TimelineEntry {
  at: Date;
  kind: (typeof ENTRY_KINDS)[number];
  /** A sentence. */
  title: string;
  /** `ok`, or the code of what went wrong. */
  outcome: string;
  /** The message of a refused request; null for requests from before messages were kept. */
  message: string | null;
  /** What the caller should do about it. */
  fix: string | null;
  references: References;
  /** Without secrets; phones are masked. */
  details: Record<string, unknown>;
}

/** Two sources that describe the same event give it the same key. */
export interface KeyedEntry extends TimelineEntry {
  key: string;
}

const WENT_WELL = { outcome: OK, message: null, fix: null };

export function describeRequest(row: RequestRow): KeyedEntry {
  const { operation, outcome, message, session_id: session, method, status } = row;
  return {
    key: operation === 'authorize.start' && session !== null ? `session ${session}` : `request ${row.id}`,
    at: row.at,
    kind: 'request',
    title: describeOperation(operation, outcome),
    outcome,
    message,
    fix: fixOf(row) ?? null,
    references: { ...referencesOf(row), requestId: row.id },
    details: { called: calledBy(row), operation, method, status, durationMs: row.duration_ms },
  };
}

export function describeSession(row: SessionRow): KeyedEntry {
  const { step, codes_sent: codesSent, wrong_tries: wrongTries, expires_at: expiresAt } = row;
  return {
    key: `session ${row.id}`,
    at: row.created_at,
    kind: 'session',
    title: `A sign-in to ${row.client_name} started.`,
    ...WENT_WELL,
    references: referencesOf({ ...row, session_id: row.id }),
    details: { step, codesSent, wrongTries, expiresAt: expiresAt.toISOString() },
  };
}

export function describeGrant(row: GrantRow): KeyedEntry[] {
  const id = idOf('grant', row.id);
  const actions = row.actions.length === 0 ? 'no actions' : row.actions.join(', ');
  const given: KeyedEntry = {
    key: `grant.given ${id}`,
    at: row.created_at,
    kind: 'grant',
    title: `The fan allowed ${row.client_name}: ${actions}.`,
    ...WENT_WELL,
    references: referencesOf({ ...row, grant_id: row.id }),
    details: { scope: row.scope, actions: row.actions, mode: row.mode },
  };
  if (row.revoked_at === null) return [given];
  const reason = row.revoked_reason ?? '';
  const title =
    reason === 'expired'
      ? 'The grant expired with its last token.'
      : `The grant was revoked: ${reason.replaceAll('_', ' ')}.`;
  return [given, { ...given, key: `grant.revoked ${id}`, at: row.revoked_at, title, details: { reason } }];
}

export function describeSignature(row: SignatureRow): KeyedEntry {
  return {
    key: `listing.co_signed ${row.message_hash}`,
    at: row.signed_at,
    kind: 'signature',
    title: `Co-signed: ${row.sentence}`,
    ...WENT_WELL,
    references: referencesOf(row),
    details: { action: row.action, permitAddress: row.tix_permit_id },
  };
}

export function describeClaim(row: ClaimRow): KeyedEntry[] {
  const { signature, state } = row;
  const begun: KeyedEntry = {
    key: `claim.begun ${signature}`,
    at: row.created_at,
    kind: 'claim',
    title: 'A ticket claim started.',
    ...WENT_WELL,
    references: referencesOf({ ...row, claim_id: row.id }),
    details: {
      signature,
      permitAddress: row.tix_permit_id,
      signerWallet: row.signer_wallet,
      destinationWallet: row.destination_wallet,
    },
  };
  if (state !== 'confirmed' && state !== 'failed') return [{ ...begun, details: { ...begun.details, state } }];
  const [title, outcome] =
    state === 'failed'
      ? [`The claim failed: ${row.failure ?? 'the reason is unknown'}.`, 'failed']
      : ['The claim was confirmed onchain.', OK];
  return [begun, { ...begun, key: `claim.${state} ${signature}`, at: row.updated_at, title, outcome }];
}

export function describeListing(row: ListingRow): KeyedEntry[] {
  const opened: KeyedEntry = {
    key: `listing.opened ${row.tix_permit_id} ${row.opened_at.getTime()}`,
    at: row.opened_at,
    kind: 'listing',
    title: `The ticket was listed onchain for ${formatSol(row.price)} SOL.`,
    ...WENT_WELL,
    references: referencesOf(row),
    details: { listing: idOf('lst', row.id), marketplace: row.marketplace, lamports: row.price },
  };
  if (row.closed_at === null || row.outcome === null) return [opened];
  const key = `listing.${row.outcome} ${row.tix_permit_id} ${row.closed_at.getTime()}`;
  const title = row.outcome === 'sold' ? 'The ticket was sold onchain.' : 'The listing was cancelled onchain.';
  return [opened, { ...opened, key, at: row.closed_at, title }];
}

export function describeAudit(row: AuditRow): KeyedEntry {
  const { action, actor, subject, request_id: requestId } = row;
  const details = withoutPhones(row.details) as Record<string, unknown>;
  const words = action.replaceAll(/[._]/g, ' ');
  return {
    key: keyOfAudit(row),
    at: row.at,
    kind: 'audit',
    title: `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
    ...WENT_WELL,
    outcome: outcomeOfAudit(action),
    references: {
      ...referencesIn([subject, actor, ...Object.values(details)]),
      requestId: requestId !== null && isUuid(requestId) ? requestId : null,
    },
    details: { action, actor, subject: withoutPhones(subject), ...details },
  };
}

/** The key of the row that the audited action changed, where that row is a source too. */
function keyOfAudit({ id, action, subject, details, at }: AuditRow): string {
  const ofSubject = ['grant.given', 'grant.revoked', 'claim.confirmed', 'claim.failed'];
  if (ofSubject.includes(action)) return `${action} ${subject}`;
  if (action === 'listing.co_signed') return `${action} ${String(details.message_hash)}`;
  if (action.startsWith('listing.')) return `${action} ${subject} ${at.getTime()}`;
  return `audit ${id}`;
}

const NO_REFERENCES = Object.fromEntries([...REFERENCE_KINDS, 'requestId'].map((kind) => [kind, null])) as References;

/** The references in a row's columns. */
function referencesOf(row: { [Kind in ReferenceKind as `${Kind}_id`]?: Uuid | null }): References {
  const found = { ...NO_REFERENCES };
  for (const kind of REFERENCE_KINDS) {
    const uuid = row[`${kind}_id`];
    if (uuid) found[kind] = idOf(SUBJECT_PREFIX[kind], uuid);
  }
  return found;
}

/** The references among some values: identifiers, and actors such as `client:client_…`. */
function referencesIn(values: unknown[]): References {
  const found = { ...NO_REFERENCES };
  for (const value of values) {
    if (typeof value !== 'string') continue;
    const id = value.slice(value.indexOf(':') + 1);
    const kind = REFERENCE_KINDS.find((name) => id.startsWith(`${SUBJECT_PREFIX[name]}_`));
    if (kind && isId(SUBJECT_PREFIX[kind], id)) found[kind] ??= id;
  }
  return found;
}

/** Audit entries should contain no phone; a timeline shows none in any case. */
function withoutPhones(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/\+\d{7,15}\b/g, maskPhone);
  if (Array.isArray(value)) return value.map(withoutPhones);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutPhones(member)]));
}

const LAMPORTS_PER_SOL = 1_000_000_000n;

function formatSol(lamports: string): string {
  const amount = BigInt(lamports);
  const fraction = (amount % LAMPORTS_PER_SOL).toString().padStart(9, '0').replace(/0+$/, '');
  return `${amount / LAMPORTS_PER_SOL}${fraction === '' ? '' : `.${fraction}`}`;
}
