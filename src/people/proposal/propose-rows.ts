import type { Proposal } from '../../entities/proposal.ts';
import { parseRow } from '../../inventory/parse-row.ts';
import type { SignedInStaff } from '../../partners/rights.ts';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { idOf, newId, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import type { ServiceContext } from '../../runtime.ts';
import { newKeys, registerFans } from '../../sign-in/fan/register-fans.ts';
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
  return propose(context, 'inventory.rows', { subject, details: { rows: named, effects }, reason }, staff);
}

const readFans = prepared<{ id: Uuid; phone: string }>(
  `select id, phone from fan where mode = 'production' and phone = any($1)`,
);

/** The fans of numbers, as an import makes them where there are none. */
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
