import type { ChainApp, TestTicket } from '../../../support/chain-app.ts';
import { rows } from '../../../support/chain-app.ts';

/** A transaction that issues permits, as the table has it. */
export interface IssueRow {
  signature: string;
  state: string;
  permits: number;
  fee: string;
  rent: string;
}

/** The transactions written down since `since`, oldest first. */
export function issuesSince(app: ChainApp, since: Date, mode = 'sandbox'): Promise<IssueRow[]> {
  return rows<IssueRow>(
    app,
    `select signature, state, permits, fee::text, rent::text from issue_transaction
     where created_at >= $1 and mode = $2 order by created_at, signature`,
    [since, mode],
  );
}

/** The queue's row of each ticket, in order; undefined where it has left. */
export async function queued(app: ChainApp, tickets: readonly TestTicket[]) {
  const found = await rows<{
    permit: string;
    tries: number;
    reason: string | null;
    signature: string | null;
    retry_at: Date;
  }>(
    app,
    `select p.tix_permit_id as permit, w.tries, w.reason, w.signature, w.retry_at::text
     from waiting_permit w join permit p on p.id = w.permit_id where p.tix_permit_id = any($1)`,
    [tickets.map(({ permit }) => permit)],
  );
  return tickets.map(({ permit }) => found.find((row) => row.permit === permit));
}

/** When each ticket's permit counts as issued, in order. */
export async function issued(app: ChainApp, tickets: readonly TestTicket[]): Promise<boolean[]> {
  const found = await rows<{ permit: string; issued: boolean }>(
    app,
    'select tix_permit_id as permit, issued_at is not null as issued from permit where tix_permit_id = any($1)',
    [tickets.map(({ permit }) => permit)],
  );
  return tickets.map(({ permit }) => found.find((row) => row.permit === permit)?.issued ?? false);
}

/** Whether the transaction in a `sendTransaction` names an address. */
export function names(params: readonly unknown[], bytes: Uint8Array): boolean {
  return Buffer.from(String(params[0]), 'base64').includes(Buffer.from(bytes));
}
