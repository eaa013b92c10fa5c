import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Client, type ReviewedRegistration } from '../entities/client.ts';
import { DomainError } from '../errors.ts';
import { knownId, nothingUnder } from '../identifier/known-id.ts';
import { originsOf } from '../oauth/redirect-uri.ts';
import { changesBetween, isFrozen, registrationOf } from './describe-changes.ts';
import { APPROVED_STATUSES, staleEdit } from './life-cycle.ts';
import { registrationFault } from './lint-registration.ts';
import { addEditToReview, openReview } from './open-review.ts';

export interface ClientEdit {
  clientId: string;
  /** The version that was edited. */
  version: number;
  /** Missing fields stay as they are. */
  changes: Partial<ReviewedRegistration>;
  /** Confirms that the edit takes an approved client out of use until it is reviewed again. */
  confirmReview?: boolean;
}

/**
 * Edits a client's registration. An edit of a frozen field sends an approved client back to review, where it can't be
 * used. Of two edits of one version the second is refused.
 * @throws DomainError `not_found`, `stale_edit`, `invalid_request` naming the field, `confirmation_required`
 */
export async function editClient(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  edit: ClientEdit,
  actor: string,
): Promise<Client> {
  return context.em.transactional(async (em) => {
    const client = await readClient(em, edit);
    const { status: earlier } = client;
    const before = registrationOf(client);
    const after = registrationAfter(client, edit.changes);
    if (JSON.stringify(before) === JSON.stringify(after)) return client;
    const frozen = changesBetween(before, after).some(isFrozen);
    const sendsBack = frozen && APPROVED_STATUSES.has(earlier);
    if (sendsBack && edit.confirmReview !== true) throw needsReview(client);
    const status = sendsBack ? 'in_review' : earlier;
    // every step of the client increments the version, so it also guards the status
    const edited = await em.nativeUpdate(
      Client,
      { id: client.id, version: edit.version },
      { ...after, corsOrigins: originsOf(after.redirectUris), status, updatedAt: context.now() },
    );
    await em.refresh(client);
    if (edited !== 1) throw staleEdit(client);
    const within = { ...context, em };
    if (sendsBack) openReview(within, client, `Edited while ${earlier}.`, actor);
    else if (status === 'in_review') await addEditToReview(within, client, actor);
    const details = { ...beforeAndAfter(before, after), ...(sendsBack && { sent_back_from: earlier }) };
    recordAudit(within, { actor, action: 'client.edited', subject: client.id, details });
    return client;
  });
}

async function readClient(em: Context['em'], { clientId, version }: ClientEdit): Promise<Client> {
  const client = await em.findOne(Client, { id: knownId('client', clientId) }, { refresh: true });
  if (!client) throw nothingUnder('client', clientId);
  if (client.version !== version) throw staleEdit(client);
  return client;
}

function registrationAfter(client: Client, changes: ClientEdit['changes']): ReviewedRegistration {
  const after = { ...registrationOf(client), ...changes };
  const fault = registrationFault({ ...after, mode: client.mode });
  if (fault !== undefined) throw new DomainError('invalid_request', fault);
  return { ...after, name: after.name.trim() };
}

function needsReview({ status }: Client): DomainError {
  return new DomainError(
    'confirmation_required',
    `The client is ${status} as it was approved. This edit sends it back to review: nobody can use it until it is approved and enabled again. Confirm that to go on.`,
  );
}

function beforeAndAfter(before: ReviewedRegistration, after: ReviewedRegistration) {
  const fields = (Object.keys(after) as (keyof ReviewedRegistration)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const of = (registration: ReviewedRegistration) =>
    Object.fromEntries(fields.map((field) => [field, registration[field]]));
  return { before: of(before), after: of(after) };
}
