import { type DisabledReason, NotificationEndpoint } from '../../entities/notification.ts';
import { PartnerMember } from '../../entities/partner-member.ts';
import type { Context } from '../../platform/context.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import type { WithMail } from '../../platform/mail/mail-sender.ts';
import { GIVE_UP_DAYS } from './retry-times.ts';

/** E-mails for one endpoint; a partner has a few people. */
const MOST_MAILS = 20;

const WHY: Readonly<Record<Exclude<DisabledReason, 'partner'>, string>> = {
  failing: `All attempts of the last ${GIVE_UP_DAYS} days have failed.`,
  gone: 'It answered with the status 410 (Gone).',
};

/**
 * Writes to the people of the partner that their endpoint was disabled. The workspace shows it too, so a mail server that is down is
 * logged and no fault.
 */
export async function tellDisabled(
  { em, mail, log, config }: Pick<Context, 'em' | 'log' | 'config'> & WithMail,
  endpointId: Id<'nep'>,
  reason: DisabledReason,
): Promise<void> {
  if (reason === 'partner') return;
  try {
    const fork = em.fork();
    const endpoint = await fork.findOne(NotificationEndpoint, { id: endpointId }, { populate: ['client'] });
    if (!endpoint) return;
    const { client } = endpoint;
    const where = { partner: client.partner.id, revokedAt: null, joinedAt: { $ne: null } };
    const people = await fork.find(PartnerMember, where, { limit: MOST_MAILS, orderBy: { id: 'asc' } });
    const text = [
      `The endpoint ${endpoint.url} of the client ${client.name} gets no more events. ${WHY[reason]}`,
      'Events from now on are not kept for it. Mend the endpoint, then enable it, and replay what is dead:',
      `${config.partnersUrl}/events`,
    ].join('\n\n');
    for (const { email } of people)
      await mail.send({ to: email, subject: 'An endpoint for events was disabled', text });
  } catch (err) {
    log.warn({ err, endpoint: endpointId }, 'the people of a partner were not told that an endpoint was disabled');
  }
}
