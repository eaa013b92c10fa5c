import type { JudgedClaim } from '@fan-api/cosign-policy/judge-claim-transactions';
import type { GrantAccess } from '../../oauth/grant/grant-access.ts';
import type { Context } from '../../platform/context.ts';
import { givenRows, shareStatement } from '../../platform/database/share-statement.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { after } from '../../platform/time.ts';
import { futureEvent, visiblePermit } from '../ticket/future-tickets.ts';
import { OPEN_CLAIM, type OpenClaim } from './open-claim.ts';

/** A claim with what its answer needs. */
export interface ClaimRow extends OpenClaim {
  ticket_id: Uuid;
  tix_event_id: string;
  signer_wallet: string;
}

/** A permit that may be claimed. */
export type KnownPermit = Pick<ClaimRow, 'tix_permit_id' | 'ticket_id' | 'tix_event_id'> & { id: Uuid };

/** What a request's statement before its claims is given. Signatures and addresses are in base58. */
interface GivenRequest {
  signatures: string[];
  wallet: string;
  addresses: string[];
  mode: Mode;
  partner: Uuid;
  now: Date;
}

interface KnownRow {
  n: number;
  claims: ClaimRow[];
  permits: KnownPermit[];
}

/**
 * The fan's claims by these transactions, from a repeated request or an earlier grant; and the permits that may be claimed: of the
 * mode, visible to the partner, for a future event; their owner does not matter. `offset 0` keeps the planner from beginning with the
 * events and reading all their tickets, as it does without statistics: 2,875 pages a request of ten permits instead of 121 (D-248).
 */
const readKnownRows = shareStatement<GivenRequest, KnownRow>(
  () => `
  select g.n, coalesce((
    select json_agg(found) from (
      select ${OPEN_CLAIM}, cl.signer_wallet, p.ticket_id, e.tix_event_id
      from claim cl join permit p on p.id = cl.permit_id join ticket t on t.id = p.ticket_id
        join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
      where cl.signature = any(g.signatures) and cl.destination_wallet = g.wallet) found
  ), '[]') as claims, coalesce((
    select json_agg(found) from (
      select p.id, p.tix_permit_id, p.ticket_id, e.tix_event_id
      from (
        select p.id, p.tix_permit_id, p.ticket_id from permit p
        where p.tix_permit_id = any(g.addresses) and ${visiblePermit('p', 'g.partner')} offset 0) p
        join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
        join event e on e.id = tt.event_id and ${futureEvent('e', 'g.mode', 'g.now')}) found
  ), '[]') as permits
  from ${givenRows('signatures text[], wallet text, addresses text[], mode text, partner uuid, now timestamptz')} g`,
);

/** Reads what the database knows of a request. */
export async function readKnown(context: Pick<Context, 'pool' | 'now'>, access: GrantAccess, judged: JudgedClaim[]) {
  const given = {
    signatures: judged.map(({ signature }) => signature),
    wallet: access.wallet,
    addresses: judged.map(({ permit }) => permit),
    mode: access.mode,
    partner: access.partner_id,
    now: after(context.now(), access.events_ahead),
  };
  const known = await readKnownRows.together(context.pool, given);
  return known ?? { claims: [], permits: [] };
}
