import { type Client, ClientReview } from '../../entities/client.ts';
import type { WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId, nothingUnder } from '../../platform/identifier/known-id.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { personBehind } from '../person.ts';
import { originsOf } from '../redirect-uri.ts';
import {
  beforeAndAfter,
  type FrozenRegistration,
  frozenChanges,
  frozenOf,
  registrationOf,
} from './describe-changes.ts';
import { APPROVED_STATUSES, staleEdit } from './life-cycle.ts';
import { approvalFault, registrationFault } from './lint-registration.ts';
import { lockClient, writeClient } from './locked-client.ts';
import { openReviewOf, withdrawIfUnchanged } from './review.ts';

export interface RestoreRequest {
  clientId: string;
  /** The approval whose registration comes into force again. */
  reviewId: string;
  /** The version of the client that was looked at. */
  version: number;
  /** 1 to 1,000 characters. */
  reason: string;
}

/**
 * Brings the redirect URIs, scopes, loopback option, privacy page and marketplaces of an earlier approval into force again. One person
 * is enough,
 * because two approved them before. Name, retry window and status stay. A pending edit stays pending, rebased onto what is in force now.
 * @throws DomainError `not_found`, `conflict`, `stale_edit`, `forbidden`, `invalid_request`
 */
export async function restoreRegistration(
  context: WriteContext,
  { clientId, reviewId, version, reason: text }: RestoreRequest,
  actor: string,
): Promise<Client> {
  const reason = givenReason(text);
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const client = await lockClient(within, clientId);
    const id = knownId('rev', reviewId);
    const approval = await em.findOne(ClientReview, { id, client: client.id, decision: 'approved' }, { refresh: true });
    if (!approval) throw nothingUnder('rev', id);
    if (!APPROVED_STATUSES.has(client.status)) {
      throw new DomainError(
        'conflict',
        `The client is ${client.status}, so no registration is in force. Submit it for review.`,
      );
    }
    if (client.version !== version) throw staleEdit(client);
    // the person who submitted it may, as two people approved it; a person of the partner may not
    if ((await personBehind(within, actor)).partners.has(client.partner.id)) {
      throw new DomainError('forbidden', 'You belong to the partner: someone else has to restore it.');
    }
    const before = registrationOf(client);
    const after = { ...before, ...frozenOf(approval.registration) };
    if (frozenChanges(before, after).length === 0) {
      throw new DomainError('conflict', 'This registration is already in force.');
    }
    const opensAll = approvalFault(before) === undefined ? approvalFault(after) : undefined;
    const fault = registrationFault({ ...after, mode: client.mode }) ?? opensAll;
    if (fault !== undefined) throw new DomainError('conflict', `This registration can’t be used anymore: ${fault}`);
    await writeClient(within, client, { ...frozenOf(after), corsOrigins: originsOf(after.redirectUris) });
    const details = { approval: id, reason, ...beforeAndAfter(before, after) };
    recordAudit(within, { actor, action: 'client.restored', subject: client.id, details });
    await carryOver(within, client, before, actor);
    return client;
  });
}

/** Rebases a pending edit onto the registration in force, and withdraws it if nothing differs anymore. */
async function carryOver(
  context: WriteContext,
  client: Client,
  earlier: FrozenRegistration,
  actor: string,
): Promise<void> {
  const review = await openReviewOf(context, client);
  if (!review) return;
  const inForce = registrationOf(client);
  const registration = { ...inForce, ...rebase(frozenOf(review.registration), earlier, inForce) };
  context.em.assign(review, { registration });
  const reason = 'An earlier registration was restored, and with it what this edit would have changed.';
  withdrawIfUnchanged(context, client, review, { reason, actor });
}

/** Applies the difference between `from` and `edited` to `onto`: entries added and removed, and the switched option. */
function rebase(edited: FrozenRegistration, from: FrozenRegistration, onto: FrozenRegistration): FrozenRegistration {
  const list = (field: 'redirectUris' | 'scopes' | 'marketplaces') => {
    const added = edited[field].filter((entry) => !from[field].includes(entry));
    const removed = from[field].filter((entry) => !edited[field].includes(entry));
    const kept = onto[field].filter((entry) => !removed.includes(entry));
    return [...new Set([...kept, ...added])];
  };
  const single = <Field extends 'loopbackAnyPort' | 'privacyUrl'>(field: Field) =>
    edited[field] === from[field] ? onto[field] : edited[field];
  return {
    redirectUris: list('redirectUris'),
    scopes: list('scopes'),
    loopbackAnyPort: single('loopbackAnyPort'),
    privacyUrl: single('privacyUrl'),
    marketplaces: list('marketplaces'),
  };
}
