import { z } from 'zod';
import type { ReviewedRegistration } from '../../entities/client.ts';
import { GRANT_MODES, REVOCATION_REASONS } from '../../entities/consent-grant.ts';
import type { KeyPurpose } from '../../entities/encryption-key.ts';
import type { FormerNumberReason } from '../../entities/former-number.ts';
import type { MemberRole } from '../../entities/partner-member.ts';
import type { Id, Uuid } from '../../platform/identifier/type-id.ts';

/**
 * All audit actions with their details. The fan's history reads `grant.*` back, so these are parsed (`GRANT_DETAILS`).
 *
 * @module
 */

/** Why tickets left a `selected` grant. */
export const NARROWING_REASONS = ['ticket_moved', 'event_ended', 'ticket_withdrawn'] as const;
export type NarrowingReason = (typeof NARROWING_REASONS)[number];

const TicketSelection = z.object({ mode: z.enum(GRANT_MODES), tickets: z.array(z.string()) });

/** Details of `grant.*`, as written and read back. Identifiers are TypeIDs. */
export const GRANT_DETAILS = {
  'grant.given': TicketSelection.extend({ client: z.string(), actions: z.array(z.string()) }),
  /** Tickets left the grant, or the fan turned actions off. */
  'grant.narrowed': z.union([
    z.object({ reason: z.enum(NARROWING_REASONS), tickets: z.array(z.string()) }),
    z.object({ actions: z.array(z.string()) }),
  ]),
  /** The fan turned actions on again that the consent includes. */
  'grant.widened': z.object({ actions: z.array(z.string()) }),
  'grant.tickets_chosen': z.object({ before: TicketSelection, after: TicketSelection }),
  'grant.revoked': z.object({
    reason: z.enum(REVOCATION_REASONS),
    /** The reason that staff gave. */
    note: z.string().optional(),
    /** The partner whose sandbox was reset. */
    partner: z.string().optional(),
  }),
} as const;

type GrantDetails = { [Action in keyof typeof GRANT_DETAILS]: z.input<(typeof GRANT_DETAILS)[Action]> };

type Reason = { reason: string };
type RowOutcomeName = 'created' | 'updated' | 'unchanged' | 'stale' | 'failed';
type BeforeAndAfter = { before: Record<string, unknown>; after: Record<string, unknown> };
type Nothing = Record<string, never>;
type KillSwitchDetails = Reason & { kind: string };
/** What was to end besides. */
type EndsToo = { endsSales?: boolean | undefined; endsGrants?: boolean | undefined };
/** Onchain state. Slot and price are u64, as text. */
type OnchainDetails = { owner: string; state: string; marketplace: string | null; price: string; slot: string };
/** Of a permit: addresses in base58, `origin` what ordered it. */
type CustodyMoveDetails = {
  move: Id<'move'>;
  kind: string;
  ticket: Id<'tkt'>;
  fan: Id<'usr'>;
  /** Null while the permit is not issued. */
  from: string | null;
  to: string | null;
  origin: string;
};
type ByFanOrSupport = { by: 'fan' } | { by: 'support'; proposal: Id<'prop'> };
type ProposalDetails = { proposal: Id<'prop'>; kind: string };
type ClaimDetails = { claim: Uuid; grant: Uuid; permit: Uuid };

/** Details of each action: `subject.verb` in the past tense. */
export interface AuditDetails extends GrantDetails {
  /** A month was written to a file, with the positions of its entries, the hash of the last and that of the file. */
  'audit.archived': { month: string; first: string; last: string; entries: number; hash: string; sha256: string };
  /** The entries before this position are in their files alone. */
  'audit.detached': { month: string; position: string; hash: string; sha256: string };
  'audit.exported': { format: 'csv' | 'json'; filter: object };
  /** The key of the former authority was deleted. */
  'chain_authority.retired': { mode: string };
  'chain_authority.rotated': { mode: string; before: string };
  'claim.confirmed': ClaimDetails & { after_failure?: true };
  'claim.failed': ClaimDetails & Reason;
  /** A fork of the cluster dropped its transaction after it was confirmed. */
  'claim.reopened': ClaimDetails;
  /** With what it changed in the registration in force, where there was one. */
  'client.approved': Reason & { review: Id<'rev'>; registration: ReviewedRegistration } & Partial<BeforeAndAfter>;
  /** With the review where the edit waits in it. */
  'client.edited': BeforeAndAfter & { review?: Id<'rev'> };
  'client.enabled': Reason & { approval: Id<'rev'> };
  'client.logo_removed': BeforeAndAfter;
  'client.logo_set': BeforeAndAfter;
  'client.registered': Partial<ReviewedRegistration> & { mode: string };
  'client.rejected': Reason & { review: Id<'rev'> };
  'client.restored': Reason & { approval: Id<'rev'> } & BeforeAndAfter;
  /** With what it would change in the registration in force, where there is one. */
  'client.submitted': { review: Id<'rev'>; note: string; registration: ReviewedRegistration } & Partial<BeforeAndAfter>;
  /** What the sandbox simulated for the client ended, and its clock was set back. */
  'client.simulation_ended': Nothing;
  /** Everything that the sandbox client holds grew older. */
  'client.clock_advanced': { seconds: number };
  'client.failure_armed': { failure: string; operation?: string; times?: number; seconds?: number; minutes: number };
  'client.failure_disarmed': { failure: string };
  'client.sandbox_key_made': Nothing;
  'client.suspended': Reason & EndsToo;
  'client.withdrawn': Reason & { review: Id<'rev'> };
  'code_breaker.retried': Reason;
  'custody_move.done': CustodyMoveDetails;
  'custody_move.failed': CustodyMoveDetails & Reason;
  'custody_move.ordered': CustodyMoveDetails & Reason;
  'encryption_key.introduced': { purpose: KeyPurpose };
  'encryption_key.preferred': { purpose: KeyPurpose };
  'encryption_key.retired': Nothing;
  'event.cancelled': Nothing;
  /** Name, place or time. */
  'event.changed': BeforeAndAfter;
  /** Onchain, some time after its end: the rent of its account and its permits comes back. */
  'event.closed': Nothing;
  'event.reinstated': Nothing;
  /** The holder of the number showed that the account behind it is theirs. */
  'fan.continuity_proved': { by: 'passkey' } | { by: 'support'; proposal: Id<'prop'> };
  /** Somebody made a copy of all that is kept about the fan. */
  'fan.data_copied': ByFanOrSupport;
  /** The fan has left. `by: 'restore'`: again, after a backup from before was restored. */
  'fan.deleted': ByFanOrSupport | { by: 'restore' };
  'fan.number_changed': ByFanOrSupport;
  /** The number is another fan's now. */
  'fan.number_given_up': { reason: FormerNumberReason };
  /** `bulkReason`: given from the 21st number within five minutes on. */
  'fan.phone_revealed': Reason & { bulkReason?: string };
  /** Visits to the portal and sign-ins under way that ended. */
  'fan.signed_out': Reason & { visits: number; signIns: number };
  /** The sheet shows in the reviews of this production client from now on. */
  'go_live_check.attached': { client: Id<'client'> };
  /** With the number of checks by verdict. */
  'go_live_check.finished': { passed: number; failed: number };
  'go_live_check.started': { client: Id<'client'> };
  /** A batch of rows; `run` is the import that it belongs to. */
  'inventory.applied': Record<RowOutcomeName, number> & { run?: string };
  /** Every ticket of an event, or of all, was read with the phone number of its holder. */
  'inventory.snapshot_read': { event: string | null };
  /** The failed rows of a run were downloaded, with the phone numbers in them. */
  'import_run.failures_exported': { numbers: number; bulkReason?: string };
  /** Rows that failed were replaced by a person. */
  'import_run.failures_mended': Reason & { rows: number };
  'import_run.finished': Record<RowOutcomeName, number> & { lines: number };
  'import_run.interrupted': Reason & { lines: number };
  'import_run.rerun': { lines: number };
  'import_run.resumed': { lines: number };
  'import_run.started': { source: string; format: string; file: string | null };
  'kill_switch.lifted': KillSwitchDetails;
  'kill_switch.set': KillSwitchDetails & EndsToo;
  'listing.cancelled': OnchainDetails;
  'listing.co_signed': { message_hash: string; grant: string; permit: string; sentence: string; policy: string };
  'listing.opened': OnchainDetails;
  'listing.sold': OnchainDetails;
  'notification.replayed': { endpoint: Id<'nep'>; count: number };
  'notification_endpoint.added': { client: Id<'client'>; format: string; url: string | null; types: readonly string[] };
  'notification_endpoint.changed': BeforeAndAfter;
  /** By three days of failures, or by its own answer 410. */
  'notification_endpoint.disabled': Reason;
  'notification_endpoint.paused': Reason;
  'notification_endpoint.removed': { client: Id<'client'> };
  'notification_endpoint.resumed': Reason;
  'notification_endpoint.secret_rotated': { client: Id<'client'> };
  /** Without the client secret. */
  'partner.provider_removed': { issuer: string };
  'partner.provider_set': { issuer: string; clientId: string };
  'partner.registered': { name: string };
  'partner.renamed': BeforeAndAfter;
  'partner_member.invited': { partner: Id<'ptn'>; name: string; email: string; role: MemberRole };
  'partner_member.reinvited': { partner: Id<'ptn'> };
  'partner_member.revoked': Reason & { partner: Id<'ptn'> };
  'partner_member.role_changed': BeforeAndAfter & { partner: Id<'ptn'> };
  'partner_member.sessions_ended': Reason & { partner: Id<'ptn'>; sessions: number };
  'partner_member.sign_in_refused': Reason & { issuer: string };
  'partner_member.signed_in': {
    partner: Id<'ptn'>;
    via: 'invitation' | 'link' | 'provider';
    address?: string;
    browser?: string;
  };
  'partner_member.signed_out': Nothing;
  'passkey.added': { passkey: Id<'pky'> };
  /** Its signature counter did not increase: there may be a copy of the passkey. */
  'passkey.count_refused': { passkey: Id<'pky'> };
  'passkey.removed': Partial<Reason> & { passkey: Id<'pky'> };
  'permit.granted': { ticket: Id<'tkt'>; fan: Id<'usr'>; partner: Id<'ptn'> };
  /** A fork of the cluster dropped the transaction that issued it; it is issued again. */
  'permit.issue_undone': { transaction: string };
  'permit.restored': Nothing;
  'permit.revoked': Reason & { partner?: Id<'ptn'> };
  'proposal.approved': ProposalDetails & Reason;
  'proposal.declined': ProposalDetails & Reason;
  'proposal.done': ProposalDetails;
  'proposal.expired': ProposalDetails;
  'proposal.failed': ProposalDetails & Reason;
  'proposal.made': ProposalDetails & Reason;
  'proposal.withdrawn': ProposalDetails & Reason;
  'refresh_token.reused': Nothing;
  'sandbox.reset': { keepTestUsers: boolean; permits: number; grants: number; events: number; testUsers: number };
  'sandbox_kit.created': { kit: Id<'kit'>; fan: Id<'usr'>; event: Id<'evt'> };
  'service_account.created': { name: string; scopes: readonly string[]; days: number; callsPerMinute: number };
  'service_account.disabled': Reason & { name: string };
  'service_account.rotated': { name: string; token: Id<'svt'>; days: number; overlapHours: number };
  'signing_key.activated': Nothing;
  'signing_key.created': { state: string };
  'signing_key.removed': Nothing;
  'staff.disabled': Reason;
  'staff.enabled': Nothing;
  'staff.expelled': Nothing;
  'staff.refused': { operation: string; right: string };
  'staff.registered': { issuer?: string; name: string; role: string };
  /** With a reason where an admin did it. */
  'staff.role_changed': Partial<Reason> & { from: string; to: string };
  'staff.sessions_ended': Reason & { sessions: number };
  'staff.sign_in_refused': Reason & { issuer: string; name: string };
  'staff.signed_in': {
    /** `this_machine`: confirmed by a button on the embedded default. */
    via: 'provider' | 'link' | 'this_machine';
    role: string;
    stepUp?: boolean;
    address?: string;
    browser?: string;
  };
  'staff.signed_out': Nothing;
  'staff_link.made': Nothing;
  'staff_token.created': { name: string; scopes: readonly string[]; days: number };
  'staff_token.revoked': { name: string; owner: Id<'stf'> };
  'test_event.created': { name: string; partner: Id<'ptn'> | null };
  'test_event.ended': Reason & { partner: Id<'ptn'> };
  'test_user.created': { partner: Id<'ptn'> | null };
  'test_user.removed': Reason & { partner: Id<'ptn'> };
  'ticket.moved': OnchainDetails;
  /** A withdrawn ticket is valid again. */
  'ticket.restored': Nothing;
  /** The company named another holder. `onchain`: the permit must move first. */
  'ticket.transferred': { from: Id<'usr'>; to: Id<'usr'>; onchain: boolean };
  'ticket.type_changed': BeforeAndAfter;
  'ticket.withdrawn': { status: string };
  'resale.changed': BeforeAndAfter;
  'ticket_type.renamed': BeforeAndAfter;
}

export type AuditAction = keyof AuditDetails;

/** Actions that need no details. */
export type BareAction = { [A in AuditAction]: AuditDetails[A] extends Nothing ? A : never }[AuditAction];
