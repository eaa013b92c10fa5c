import { z } from 'zod';
import { Fan } from '../../entities/fan.ts';
import { PortalSession } from '../../entities/portal-session.ts';
import type { Proposal } from '../../entities/proposal.ts';
import type { SignedInStaff } from '../../partners/rights.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { maskPhone, toE164 } from '../../platform/phone-number.ts';
import { after } from '../../platform/time.ts';
import type { ServiceContext } from '../../runtime.ts';
import { numberOf } from '../../sign-in/fan/find-fans.ts';
import { moveNumber, numberTaken } from '../../sign-in/verification/move-number.ts';
import { proposalKind } from './kind.ts';
import { propose } from './propose.ts';
import { accountOf } from './reopen.ts';

const Details = z.object({
  /** The empty account that the new number began when its holder proved it. No number is kept in a proposal. */
  holder: z.string(),
  /** Of the new number. */
  masked: z.string(),
});

/** Seconds for which a proof of the new number counts. */
const PROOF_LIFETIME = 7 * 86_400;

/** D-078: a fan who can use neither the old number nor a passkey gets a new number, which its holder has proved by a sign-in. */
export const NUMBER_CHANGE = proposalKind<z.infer<typeof Details>>({
  name: 'fan.number_change',
  title: 'Change a fan’s number',
  proposes: 'proposals:write',
  decides: 'proposals:decide',
  details: Details,
  effects: ({ details: { masked } }) => [
    `The fan signs in with ${masked} from then on. The number before no longer opens the account.`,
    'The empty account that the new number began loses it.',
    'The fan’s visits to the portal end. Tickets, wallet, passkeys and the access of apps stay.',
  ],
  async check(context, { subject, details }) {
    await fansOf(context, subject, details.holder);
  },
  async execute(context, { id, subject, details }, actor) {
    const { fan, holder } = await fansOf(context, subject, details.holder);
    const move = { fan: fan.id, from: fan.phone ?? null, to: numberOf(holder), reason: 'changed_by_support' } as const;
    const moved = await moveNumber(context, move, { actor, details: { by: 'support', proposal: id } });
    if (!moved) throw new DomainError('conflict', numberTaken().message);
    await context.em.nativeDelete(PortalSession, { fan: fan.id });
    return 'done';
  },
});

/** @throws DomainError `not_found`; `conflict` where one is a test user, or the proof of the new number is too old */
async function fansOf(context: ServiceContext, fanId: string, holderId: string): Promise<{ fan: Fan; holder: Fan }> {
  const [fan, holder] = [await accountOf(context, fanId), await accountOf(context, holderId)];
  if (fan.id === holder.id) throw new DomainError('conflict', 'The fan has this number already.');
  const { phone, numberProvedAt } = holder;
  if (!phone || !numberProvedAt || numberProvedAt <= after(context.now(), -PROOF_LIFETIME)) throw unproved();
  return { fan, holder };
}

function unproved(): DomainError {
  return new DomainError(
    'conflict',
    'Nobody has proved this number in the last 7 days. Ask the fan to sign in to an app with it once, and to allow nothing.',
  );
}

/**
 * Proposes a new number for a fan.
 * @param request with the new number as typed; its holder has signed in with it within 7 days
 * @throws DomainError as `propose`; `invalid_phone`; `conflict` where nobody has proved the number
 */
export async function proposeNumberChange(
  context: ServiceContext,
  { fanId, phone: typed, reason }: { fanId: string; phone: string; reason: string },
  staff: SignedInStaff,
): Promise<Proposal> {
  const phone = toE164(typed);
  const holder = await context.em.findOne(Fan, { mode: 'production', phone });
  if (!holder) throw unproved();
  const details = { holder: holder.id, masked: maskPhone(phone) };
  return propose(context, NUMBER_CHANGE, { subject: knownId('usr', fanId), details, reason }, staff);
}
