import type { Pool } from 'pg';
import { prepared } from '../database/prepared.ts';

/** A code that the development provider did not send. */
export interface InboxEntry {
  /** E.164. */
  phone: string;
  code: string;
  sentAt: Date;
}

/** The last code of each number, for ten minutes: what the inbox page of development shows. In clear, so never in production. */
export interface Inbox {
  keep(phone: string, code: string): Promise<void>;
  /** Newest first. */
  read(): Promise<InboxEntry[]>;
}

const KEPT = `interval '10 minutes'`;

/** Forgets by itself what is too old, but for what somebody else writes at the moment: two would wait in a circle. */
const write = prepared(
  `with old as (
     select phone from inbox_message where sent_at < now() - ${KEPT} and phone <> $1 for update skip locked
   ), forgotten as (delete from inbox_message where phone in (select phone from old))
   insert into inbox_message (phone, code, sent_at) values ($1, $2, now())
   on conflict (phone) do update set code = excluded.code, sent_at = excluded.sent_at`,
);
const read = prepared<{ phone: string; code: string; sent_at: string }>(
  `select phone, code, sent_at from inbox_message where sent_at >= now() - ${KEPT} order by sent_at desc limit 50`,
);

/** In the database, since a sign-in may begin on one process and be looked for on another. */
export function createInbox(pool: Pool): Inbox {
  return {
    async keep(phone, code) {
      await write(pool, [phone, code]);
    },
    async read() {
      return (await read(pool, [])).map(({ phone, code, sent_at }) => ({ phone, code, sentAt: new Date(sent_at) }));
    },
  };
}
