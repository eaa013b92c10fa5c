import type { JudgedClaim } from '@fan-api/cosign-policy/judge-claim-transactions';
import type { GrantAccess } from '../../oauth/grant/grant-access.ts';
import { grantRevoked, LIVE_GRANT } from '../../oauth/grant/live-grant.ts';
import { actionNotGranted, grantsAction } from '../../oauth/grant/permission.ts';
import { REQUIRED_ACTIONS } from '../../partners/scopes.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { givenRows, shareStatement } from '../../platform/database/share-statement.ts';
import { newId, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { runOnPermits } from '../ticket/lock-permits.ts';
import type { ClaimRow, KnownPermit } from './read-known.ts';

const ACTION = REQUIRED_ACTIONS.executeClaim;

/** What the statement that writes claims is given. */
interface GivenClaims {
  grant: Uuid;
  now: Date;
  claims: ReturnType<typeof toOpenClaim>[];
}

interface WrittenRow {
  n: number;
  live: boolean;
  granted: boolean;
  /** Ids of the claims that were written. */
  written: Uuid[];
}

/**
 * All or none: another open claim of a permit rejects the whole set, by the unique index. Checks the grant again, which may have
 * ended while the cluster was asked or the permits were locked.
 * @param lock `skip locked` for requests together: it has no row for one that lacks a permit, which its own statement decides
 */
const insertText = (lock: 'skip locked' | 'nowait' | '') => `
  with given as (
    select e.* from ${givenRows('"grant" uuid, now timestamptz, claims json')} e
  ), access as (
    select e.n, ${LIVE_GRANT} as live, ${grantsAction(`'${ACTION}'`)} as granted
    from given e join consent_grant g on g.id = e."grant" join client c on c.id = g.client_id
  ), wanted as (
    select e.n, e."grant", e.now, s.* from given e, json_to_recordset(e.claims) as s(id uuid, signature text, permit_id uuid,
      signer_wallet text, destination_wallet text, transaction text, recent_blockhash text, judged_slot bigint)
  ), held as (
    select id from permit where id = any(array(select permit_id from wanted)) for update ${lock}
  ), whole as (
    select e.n from given e join wanted on wanted.n = e.n left join held on held.id = wanted.permit_id
    group by e.n having count(*) = count(held.id)
  ), allowed as (
    select access.n from access join whole on whole.n = access.n where access.live and access.granted
  ), inserted as (
    insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction,
      recent_blockhash, judged_slot, state, created_at, updated_at)
    select wanted.id, signature, "grant", permit_id, signer_wallet, destination_wallet, transaction, recent_blockhash, judged_slot,
      'submitted', now, now
    from wanted join allowed on allowed.n = wanted.n
    on conflict (signature) do nothing returning id
  ), written as materialized (
    -- grouped once: of 32 requests together, each would go through the claims of all for every claim
    select wanted.n, array_agg(inserted.id) as ids from wanted join inserted on inserted.id = wanted.id group by wanted.n
  )
  select access.*, coalesce((select ids from written where written.n = access.n), '{}') as written
  from access ${lock === 'skip locked' ? 'join whole on whole.n = access.n' : ''}`;

/** Requests that wait write their claims together: of 32 in flight, each costs a tenth of a round trip and of a commit. */
const insertClaims = shareStatement<GivenClaims, WrittenRow>((busy) => insertText(busy === '' ? 'nowait' : busy));
const insertWaiting = prepared<WrittenRow>(insertText(''));

/**
 * Writes the claims of a request, before submission.
 * @param slots of the state that each was judged by
 * @returns those that this call has written
 * @throws DomainError `grant_revoked`, `action_not_granted`
 */
export async function writeClaims(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  access: GrantAccess,
  judged: JudgedClaim[],
  permits: KnownPermit[],
  slots: number[],
): Promise<ClaimRow[]> {
  const rows = judged.map((claim, index) => toOpenClaim(claim, permits[index], slots[index] ?? 0));
  try {
    const addresses = judged.map(({ permit }) => permit);
    const given = { grant: access.grant_id, now: now(), claims: rows };
    const statement = {
      atOnce: async () => [await insertClaims.together(pool, given)].filter((row) => row !== undefined),
      waiting: insertWaiting,
    };
    const [current] = await runOnPermits(pool, statement, addresses, [JSON.stringify([{ n: 0, ...given }])]);
    if (!current?.live) throw grantRevoked();
    if (!current.granted) throw actionNotGranted(ACTION);
    return rows.filter(({ id }) => current.written.includes(id));
  } catch (error) {
    // by another claim, or by a concurrent twin of this request: the caller distinguishes them
    if (!(error instanceof Error && 'constraint' in error && error.constraint === 'claim_one_open')) throw error;
    return [];
  }
}

function toOpenClaim(claim: JudgedClaim, permit: KnownPermit | undefined, slot: number) {
  if (!permit) throw new RangeError(`no permit for ${claim.permit}`);
  return {
    id: uuidOf('clm', newId('clm')),
    signature: claim.signature,
    permit_id: permit.id,
    tix_permit_id: permit.tix_permit_id,
    ticket_id: permit.ticket_id,
    tix_event_id: permit.tix_event_id,
    signer_wallet: claim.transferAuthority,
    destination_wallet: claim.destination,
    transaction: Buffer.from(claim.bytes).toString('hex'),
    recent_blockhash: claim.recentBlockhash,
    judged_slot: slot,
    state: 'submitted' as const,
    failure: null,
    may_land: false,
  };
}
