import { idOf, isUuid, tryUuidOf, type Uuid } from '../identifier/type-id.ts';
import { maskPhone } from '../verification/phone-number.ts';
import { OK, tellOperation } from './operations.ts';
import { SUBJECT_PREFIX } from './subject.ts';
import type {
  AuditRow,
  ClaimRow,
  GrantRow,
  ListingRow,
  RequestRow,
  SessionRow,
  SignatureRow,
} from './timeline-rows.ts';

/** What an entry is about: identifiers that lead to other stories. */
export interface References {
  client: string | null;
  grant: string | null;
  fan: string | null;
  session: string | null;
  ticket: string | null;
  permit: string | null;
  claim: string | null;
  requestId: string | null;
}

/** Where an entry comes from. */
export const ENTRY_KINDS = ['request', 'session', 'grant', 'signature', 'listing', 'claim', 'audit'] as const;

/** One thing that happened, told in a sentence. */
export interface TimelineEntry {
  at: Date;
  kind: (typeof ENTRY_KINDS)[number];
  title: string;
  /** `ok`, or the code of what went wrong. */
  outcome: string;
  references: References;
  /** More of it, without secrets; phones are masked. */
  details: Record<string, unknown>;
}

/** An entry and what it is known by: two sources that tell the same have the same key. */
export interface Told extends TimelineEntry {
  key: string;
}

const NONE: References = {
  client: null,
  grant: null,
  fan: null,
  session: null,
  ticket: null,
  permit: null,
  claim: null,
  requestId: null,
};

export function tellRequest(row: RequestRow): Told[] {
  const { operation, outcome, session_id: session, method, status } = row;
  return [
    {
      key: operation === 'authorize.start' && session !== null ? `session ${session}` : `request ${row.id}`,
      at: row.at,
      kind: 'request',
      title: tellOperation(operation, outcome),
      outcome,
      references: { ...namesOf(row), session: nameOf('session', session), requestId: row.id },
      details: { operation, method, status, durationMs: row.duration_ms },
    },
  ];
}

export function tellSession(row: SessionRow): Told[] {
  const { step, codes_sent: codesSent, wrong_tries: wrongTries, expires_at: expiresAt } = row;
  return [
    {
      key: `session ${row.id}`,
      at: row.created_at,
      kind: 'session',
      title: `A sign-in at ${row.client_name} began.`,
      outcome: OK,
      references: { ...namesOf(row), session: nameOf('session', row.id) },
      details: { step, codesSent, wrongTries, expiresAt: expiresAt.toISOString() },
    },
  ];
}

export function tellGrant(row: GrantRow): Told[] {
  const references = { ...namesOf(row), grant: idOf('grant', row.id) };
  const actions = row.actions.length === 0 ? 'no action' : row.actions.join(', ');
  const given: Told = {
    key: `grant.given ${idOf('grant', row.id)}`,
    at: row.created_at,
    kind: 'grant',
    title: `The fan granted ${row.client_name} ${actions}.`,
    outcome: OK,
    references,
    details: { scope: row.scope, actions: row.actions, mode: row.mode },
  };
  if (row.revoked_at === null) return [given];
  const reason = row.revoked_reason ?? '';
  return [
    given,
    {
      ...given,
      key: `grant.revoked ${idOf('grant', row.id)}`,
      at: row.revoked_at,
      title: `The grant was revoked: ${reason.replaceAll('_', ' ')}.`,
      details: { reason },
    },
  ];
}

export function tellSignature(row: SignatureRow): Told[] {
  return [
    {
      key: `listing.co_signed ${row.message_hash}`,
      at: row.signed_at,
      kind: 'signature',
      title: `Co-signed: ${row.sentence}`,
      outcome: OK,
      references: { ...namesOf(row), ...namesOfPermit(row) },
      details: { action: row.action, permitAddress: row.tix_permit_id },
    },
  ];
}

export function tellClaim(row: ClaimRow): Told[] {
  const begun: Told = {
    key: `claim.begun ${row.signature}`,
    at: row.created_at,
    kind: 'claim',
    title: 'A claim of a ticket began.',
    outcome: OK,
    references: { ...namesOf(row), ...namesOfPermit(row), claim: idOf('clm', row.id) },
    details: {
      signature: row.signature,
      permitAddress: row.tix_permit_id,
      signerWallet: row.signer_wallet,
      destinationWallet: row.destination_wallet,
    },
  };
  if (row.state !== 'confirmed' && row.state !== 'failed')
    return [{ ...begun, details: { ...begun.details, state: row.state } }];
  const failed = row.state === 'failed';
  return [
    begun,
    {
      ...begun,
      key: `claim.${row.state} ${row.signature}`,
      at: row.updated_at,
      title: failed
        ? `The claim failed: ${row.failure ?? 'no reason is known'}.`
        : 'The claim was confirmed on the chain.',
      outcome: failed ? 'failed' : OK,
    },
  ];
}

export function tellListing(row: ListingRow): Told[] {
  const opened: Told = {
    key: `listing.opened ${row.tix_permit_id} ${row.opened_at.getTime()}`,
    at: row.opened_at,
    kind: 'listing',
    title: `The chain showed the ticket on sale for ${inSol(row.price)} SOL.`,
    outcome: OK,
    references: { ...NONE, ...namesOfPermit(row) },
    details: { listing: idOf('lst', row.id), marketplace: row.marketplace, lamports: row.price },
  };
  if (row.closed_at === null || row.outcome === null) return [opened];
  return [
    opened,
    {
      ...opened,
      key: `listing.${row.outcome} ${row.tix_permit_id} ${row.closed_at.getTime()}`,
      at: row.closed_at,
      title: row.outcome === 'sold' ? 'The chain showed the ticket sold.' : 'The chain showed the listing cancelled.',
    },
  ];
}

export function tellAudit(row: AuditRow): Told[] {
  const { action, actor, subject } = row;
  const details = withoutPhones(row.details) as Record<string, unknown>;
  const failed = action === 'claim.failed' || action === 'staff.refused';
  return [
    {
      key: keyOfAudit(row),
      at: row.at,
      kind: 'audit',
      title: `${humanized(action)}.`,
      outcome: failed ? action.slice(action.indexOf('.') + 1) : OK,
      references: {
        ...referencesIn([subject, actor, ...Object.values(details)]),
        requestId: uuidOrNull(row.request_id),
      },
      details: { action, actor, subject: withoutPhones(subject), ...details },
    },
  ];
}

/** What happened is told by the row that it changed, where that is in the story too. */
function keyOfAudit({ id, action, subject, details, at }: AuditRow): string {
  if (action === 'grant.given' || action === 'grant.revoked') return `${action} ${subject}`;
  if (action === 'claim.confirmed' || action === 'claim.failed') return `${action} ${subject}`;
  if (action === 'listing.co_signed') return `${action} ${String(details.message_hash)}`;
  if (action.startsWith('listing.')) return `${action} ${subject} ${at.getTime()}`;
  return `audit ${id}`;
}

/** The references among some values: identifiers, and actors such as `client:client_…`. */
function referencesIn(values: unknown[]): References {
  const found: References = { ...NONE };
  for (const value of values) {
    if (typeof value !== 'string') continue;
    const name = value.slice(value.indexOf(':') + 1);
    for (const kind of ['client', 'grant', 'fan', 'session', 'ticket', 'permit', 'claim'] as const) {
      if (found[kind] === null && tryUuidOf(SUBJECT_PREFIX[kind], name) !== undefined) found[kind] = name;
    }
  }
  return found;
}

/** `kill_switch.set` becomes "Kill switch set". */
function humanized(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Audit entries should have no phone in them; a story shows none in any case. */
function withoutPhones(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/\+\d{7,15}\b/g, maskPhone);
  if (Array.isArray(value)) return value.map(withoutPhones);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutPhones(member)]));
}

function namesOf(row: { client_id: Uuid | null; grant_id?: Uuid | null; fan_id: Uuid | null }): References {
  const { client_id: client, grant_id: grant = null, fan_id: fan } = row;
  return { ...NONE, client: nameOf('client', client), grant: nameOf('grant', grant), fan: nameOf('fan', fan) };
}

function namesOfPermit(row: { permit_id: Uuid; ticket_id: Uuid }): Pick<References, 'permit' | 'ticket'> {
  return { permit: idOf('perm', row.permit_id), ticket: idOf('tkt', row.ticket_id) };
}

function nameOf(kind: keyof typeof SUBJECT_PREFIX, uuid: Uuid | null): string | null {
  return uuid === null ? null : idOf(SUBJECT_PREFIX[kind], uuid);
}

function uuidOrNull(text: string | null): Uuid | null {
  return text !== null && isUuid(text) ? text : null;
}

const LAMPORTS_PER_SOL = 1_000_000_000n;

function inSol(lamports: string): string {
  const amount = BigInt(lamports);
  const fraction = (amount % LAMPORTS_PER_SOL).toString().padStart(9, '0').replace(/0+$/, '');
  return `${amount / LAMPORTS_PER_SOL}${fraction === '' ? '' : `.${fraction}`}`;
}
