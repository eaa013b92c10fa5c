import { LockMode } from '@mikro-orm/core';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Client } from '../entities/client.ts';
import { ClientLogo } from '../entities/client-logo.ts';
import { knownId, nothingUnder } from '../identifier/known-id.ts';
import { addEditToReview } from './open-review.ts';

export type LogoImage = Pick<ClientLogo, 'kind' | 'width' | 'height' | 'size' | 'hash'> & { image: Buffer };

/**
 * Puts a picture, or none, in the place of the one that a client has. Its version counts up, so that whoever approves the
 * client has seen the picture, and who changed it while it is in review can't be the one to approve it.
 */
export function replaceLogo(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  clientId: string,
  image: LogoImage | undefined,
  actor: string,
): Promise<Client> {
  const { now } = context;
  return context.em.transactional(async (em) => {
    const found = { id: knownId('client', clientId) };
    // of two changes at once, the second sees what the first has set
    const client = await em.findOne(Client, found, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    if (!client) throw nothingUnder('client', clientId);
    const earlier = await em.findOne(ClientLogo, { client: client.id }, { refresh: true });
    const [before, after] = [earlier?.hash ?? null, image?.hash ?? null];
    if (before === after) return client;
    if (image) await em.upsert(ClientLogo, { client, ...image, setAt: now() });
    else await em.nativeDelete(ClientLogo, { client: client.id });
    await em.nativeUpdate(Client, found, { updatedAt: now() });
    await em.refresh(client);
    const within = { ...context, em };
    if (client.status === 'in_review') await addEditToReview(within, client, actor);
    const action = image ? 'client.logo_set' : 'client.logo_removed';
    recordAudit(within, {
      actor,
      action,
      subject: client.id,
      details: { before: { logo: before }, after: { logo: after } },
    });
    return client;
  });
}
