import bs58 from 'bs58';
import { getCountries } from 'libphonenumber-js';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { isUuid, tryUuidOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { readPhone } from '../../platform/phone-number.ts';
import { SUBJECT_PREFIX, type Subject, subjectOf } from './subject.ts';

const TEXT_LENGTH = 200;
const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

const byAddress = prepared<{ kind: keyof typeof SUBJECT_PREFIX; id: Uuid }>(`
  select 'fan' as kind, fan_id as id from wallet where address = $1
  union all select 'permit', id from permit where tix_permit_id = $1
  union all select 'ticket', id from ticket where tix_ticket_id = $1
  union all select 'event', id from event where tix_event_id = $1`);
const bySignature = prepared<{ id: Uuid }>('select id from claim where signature = $1');
const byPhone = prepared<{ id: Uuid }>(
  `select id from fan where mode in ('sandbox', 'production') and phone = any($1) order by mode limit 10`,
);

/**
 * The subjects that a text names: any identifier, a request id, an onchain address, the signature of a claim, a phone
 * number with or without its country code. Well-formed identifiers are returned without a look-up.
 */
export async function resolveSearch({ pool }: Pick<Context, 'pool'>, text: string): Promise<Subject[]> {
  const wanted = text.trim().slice(0, TEXT_LENGTH);
  const identified = identifierIn(wanted);
  if (identified) return [identified];
  const bytes = bs58.decodeUnsafe(wanted)?.length;
  if (bytes === ADDRESS_BYTES) {
    return (await byAddress(pool, [wanted])).map(({ kind, id }) => subjectOf(kind, id));
  }
  if (bytes === SIGNATURE_BYTES) return subjects('claim', await bySignature(pool, [wanted]));
  const phones = phonesIn(wanted);
  return phones.length === 0 ? [] : subjects('fan', await byPhone(pool, [phones]));
}

function identifierIn(text: string): Subject | undefined {
  const lower = text.toLowerCase();
  if (isUuid(lower)) return { kind: 'request', id: lower };
  for (const [kind, prefix] of Object.entries(SUBJECT_PREFIX)) {
    const uuid = tryUuidOf(prefix, lower);
    if (uuid !== undefined) return subjectOf(kind as keyof typeof SUBJECT_PREFIX, uuid);
  }
  return undefined;
}

/** Without a country code, the numbers of every country in which the text is a possible one. */
function phonesIn(text: string): string[] {
  if (!/^[\p{Nd}\s()+./-]{6,40}$/u.test(text)) return [];
  const international = readPhone(text);
  if (international !== undefined) return [international];
  return [...new Set(getCountries().flatMap((country) => readPhone(text, country) ?? []))];
}

function subjects(kind: keyof typeof SUBJECT_PREFIX, rows: { id: Uuid }[]): Subject[] {
  return rows.map(({ id }) => subjectOf(kind, id));
}
