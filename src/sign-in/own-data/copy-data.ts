import type { WithKeys } from '../../keys/key-ring.ts';
import type { Context, WriteContext } from '../../platform/context.ts';
import { prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, type IdPrefix, idOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import type { AuditDetails } from '../../record/audit/audit-actions.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { signOwnReceipt } from '../consent/sign-receipt.ts';
import { type Copied, FAN_TABLES, GIVEN } from './fan-tables.ts';

/** A row of a copy: identifiers as apps know them, times as `Date`. */
export type CopiedRow = Record<string, unknown>;

/** All that is kept about a fan. */
export interface FanCopy {
  issuer: string;
  fan: Id<'usr'>;
  made_at: Date;
  /** By the names in `FAN_TABLES`; `grants` that have not ended have their signed `receipt`. */
  parts: Record<string, CopiedRow[]>;
}

type CopyContext = WriteContext & Pick<Context, 'pool' | 'config'> & WithKeys;

/** Who makes a copy, for the audit log. */
interface CopiedBy {
  actor: string;
  details: AuditDetails['fan.data_copied'];
}

const PARTS = Object.values(FAN_TABLES).flatMap(({ copied }) =>
  'because' in copied ? [] : { ...copied, read: preparedWithDates<CopiedRow>(`${GIVEN} ${copied.sql}`) },
);

const readOwned = prepared<{ prefix: 'grant' | 'pky'; id: Uuid }>(`
  select 'grant' as prefix, id from consent_grant where fan_id = $1 union all select 'pky', id from passkey where fan_id = $1`);

/** The values of `GIVEN` for a fan. */
export async function givenOf({ em, now }: WriteContext, fan: Id<'usr'>): Promise<[Uuid, Date, string[]]> {
  const uuid = uuidOf('usr', fan);
  const owned = await readOwned(em, [uuid]);
  return [uuid, now(), [fan, ...owned.map(({ prefix, id }) => idOf(prefix, id))]];
}

/** Copies all that is kept about a fan. An audit entry says by whom. */
export async function copyFanData(context: CopyContext, fan: Id<'usr'>, by: CopiedBy): Promise<FanCopy> {
  const values = await givenOf(context, fan);
  const parts: FanCopy['parts'] = {};
  for (const { as, ids, read } of PARTS) parts[as] = (await read(context.pool, values)).map((row) => named(row, ids));
  for (const grant of parts.grants ?? []) {
    if (grant.ended_at === null) grant.receipt = await receiptOf(context, fan, String(grant.id));
  }
  recordAudit(context, { ...by, action: 'fan.data_copied', subject: fan });
  await context.em.flush();
  return { issuer: context.config.authUrl, fan, made_at: context.now(), parts };
}

/** Null where the grant has ended meanwhile. */
async function receiptOf(context: CopyContext, fan: Id<'usr'>, grant: string): Promise<string | null> {
  try {
    return (await signOwnReceipt(context, fan, grant)).statement;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return null;
    throw error;
  }
}

function named(row: CopiedRow, ids: Copied['ids'] = {}): CopiedRow {
  const read = (column: string, value: unknown) => (ids[column] ? identifiers(ids[column], value) : value);
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, read(column, value)]));
}

function identifiers(prefix: IdPrefix, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => identifiers(prefix, each));
  return value === null ? null : idOf(prefix, value as Uuid);
}
