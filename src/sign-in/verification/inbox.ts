import type { Pool } from 'pg';
import { prepared, preparedWithDates } from '../../platform/database/prepared.ts';

export interface InboxEntry {
  /** E.164. */
  phone: string;
  code: string;
  sentAt: Date;
}

/** The last code of each number, kept ten minutes for the inbox page. In clear text: for development only. */
export interface Inbox {
  keep(phone: string, code: string): Promise<void>;
  /** Newest first. */
  read(): Promise<InboxEntry[]>;
}

const KEPT = `interval '10 minutes'`;

/** Deletes expired codes too; skips locked rows, to prevent deadlocks. */
const write = prepared(
  `with old as (
     select phone from inbox_message where sent_at < now() - ${KEPT} and phone <> $1 for update skip locked
   ), forgotten as (delete from inbox_message where phone in (select phone from old))
   insert into inbox_message (phone, code, sent_at) values ($1, $2, now())
   on conflict (phone) do update set code = excluded.code, sent_at = excluded.sent_at`,
);
const read = preparedWithDates<{ phone: string; code: string; sentAt: Date }>(
  `select phone, code, sent_at as "sentAt" from inbox_message where sent_at >= now() - ${KEPT} order by sent_at desc limit 50`,
);

/** In the database, since several processes may serve one sign-in. */
export function createInbox(pool: Pool): Inbox {
  return {
    async keep(phone, code) {
      await write(pool, [phone, code]);
    },
    read: () => read(pool, []),
  };
}
