import { z } from 'zod';
import { Proposal } from '../../entities/proposal.ts';
import { applyRows } from '../../inventory/apply-rows.ts';
import { parseRow } from '../../inventory/parse-row.ts';
import type { RowResult } from '../../inventory/row-result.ts';
import type { SignedInStaff } from '../../partners/rights.ts';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, idOf, newId, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import type { ServiceContext } from '../../runtime.ts';
import { newKeys, registerFans } from '../../sign-in/fan/register-fans.ts';
import { type ProposalEnd, proposalKind } from './kind.ts';
import { propose } from './propose.ts';

/**
 * Proposes rows that need a second person.
 * @param rows as files have them
 * @param effects what they do, for the person who decides
 * @throws DomainError as `propose`; `invalid_request` for a row that is malformed
 */
export async function proposeRows(
  context: ServiceContext,
  { rows, effects, reason }: { rows: readonly Record<string, unknown>[]; effects: string[]; reason: string },
  staff: SignedInStaff,
): Promise<Proposal> {
  const phones = rows.flatMap((row, index) => {
    const { row: sound, fault } = parseRow(row);
    if (sound === undefined)
      throw new DomainError('invalid_request', `rows[${index}]: ${fault?.message ?? 'malformed'}`);
    return sound.kind === 'ticket' && sound.holder_phone !== undefined ? sound.holder_phone : [];
  });
  const fans = await fansOf(context, phones);
  const named = rows.map(({ holder_phone: phone, ...row }) => {
    const fan = typeof phone === 'string' ? fans.get(phone) : undefined;
    return fan === undefined ? row : { ...row, holder_fan_id: idOf('usr', fan) };
  });
  const events = new Set(rows.map(({ kind, event, reference }) => String(kind === 'event' ? reference : event)));
  const subject = events.size === 1 ? await subjectOf(context, [...events]) : 'inventory';
  return propose(context, INVENTORY_ROWS, { subject, details: { rows: named, effects }, reason }, staff);
}

const readFans = prepared<{ id: Uuid; phone: string }>(
  `select id, phone from fan where mode = 'production' and phone = any($1)`,
);

/** The fans of numbers. A number without a fan gets one, as in an import. */
async function fansOf(context: ServiceContext, phones: string[]): Promise<Map<string, Uuid>> {
  const read = async () => new Map((await readFans(context.pool, [phones])).map(({ id, phone }) => [phone, id]));
  const known = await read();
  const unknown = [...new Set(phones)].filter((phone) => !known.has(phone));
  if (unknown.length === 0) return known;
  const keys = await newKeys(context, unknown.length);
  const fans = keys.map((key, index) => ({ id: uuidOf('usr', newId('usr')), phone: unknown[index] ?? '', key }));
  await inTransaction(context.pool, (client) => registerFans(client, fans, context.now()));
  return read();
}

const readEvent = prepared<{ id: Uuid }>(`select id from event where mode = 'production' and reference = any($1)`);

async function subjectOf({ pool }: ServiceContext, reference: string[]): Promise<string> {
  const [event] = await readEvent(pool, [reference]);
  return event ? idOf('evt', event.id) : 'inventory';
}

const Details = z.object({
  /** As files have them. Holders are named by fan ID: no number is kept in a proposal. */
  rows: z.array(z.record(z.string(), z.unknown())).min(1),
  effects: z.array(z.string()),
});

/** D-341: rows that take more tickets from their holders than one person may. */
export const INVENTORY_ROWS = proposalKind<z.infer<typeof Details>>({
  name: 'inventory.rows',
  title: 'Take tickets from their holders',
  proposes: 'tickets:take',
  decides: 'proposals:decide',
  details: Details,
  effects: ({ details: { effects } }) => [
    ...effects,
    'Each row is applied as if it came now: one that no longer fits changes nothing, and the proposal then says why.',
  ],
  // each row is checked as it is applied
  async check() {},
  async execute() {
    return 'background';
  },
  async ends(context, ids) {
    const ends: ProposalEnd[] = [];
    for (const id of ids) ends.push(await carryOut(context, id));
    return ends;
  },
});

/** May run twice: a row that was applied is then unchanged. @throws DomainError `unavailable`, to be tried again */
async function carryOut(context: ServiceContext, id: Id<'prop'>): Promise<ProposalEnd> {
  const { details, reason } = await context.em.findOneOrFail(Proposal, { id }, { disableIdentityMap: true });
  const { rows } = Details.parse(details);
  try {
    const results = await applyRows(context, rows, { actor: 'system', requestId: context.requestId, run: id, reason });
    const failed = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'stale');
    return {
      id,
      state: failed.length === 0 ? 'done' : 'failed',
      outcome: failed.length === 0 ? null : toldOf(failed, results),
    };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
    return { id, state: 'failed', outcome: error.message };
  }
}

function toldOf(failed: readonly RowResult[], { length }: readonly RowResult[]): string {
  const [{ reference, message = 'A newer version of it is stored.' } = { reference: null }] = failed;
  return `${failed.length} of ${length} rows changed nothing. ${reference ?? 'One'}: ${message}`;
}
