import type { ResultOf, VariablesOf } from 'gql.tada';
import { Failure } from '../../kit/data/call.ts';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { graphql } from '../data/graphql.ts';
import { useProposed } from '../proposal/proposals.tsx';

const RESULT = 'results { outcome reason message field } proposal { id }';

const UPSERT_EVENT = graphql(`
  mutation UpsertEvent($row: EventRowInput!, $reason: String) {
    upsertEvents(rows: [$row], reason: $reason) { ${REFUSAL} ... on InventoryRowsApplied { ${RESULT} } }
  }
`);
const UPSERT_TICKET_TYPE = graphql(`
  mutation UpsertTicketType($row: TicketTypeRowInput!, $reason: String) {
    upsertTicketTypes(rows: [$row], reason: $reason) { ${REFUSAL} ... on InventoryRowsApplied { ${RESULT} } }
  }
`);
const UPSERT_TICKET = graphql(`
  mutation UpsertTicket($row: TicketRowInput!, $reason: String) {
    upsertTickets(rows: [$row], reason: $reason) { ${REFUSAL} ... on InventoryRowsApplied { ${RESULT} } }
  }
`);

type Applied = Extract<ResultOf<typeof UPSERT_EVENT>['upsertEvents'], { __typename: 'InventoryRowsApplied' }>;

type EventRow = VariablesOf<typeof UPSERT_EVENT>['row'];
type TicketTypeRow = VariablesOf<typeof UPSERT_TICKET_TYPE>['row'];
type TicketRow = VariablesOf<typeof UPSERT_TICKET>['row'];

/** Members of a row by the fields of forms that are called otherwise. */
const FIELDS: Readonly<Record<string, string>> = { holderPhone: 'holder', holderFanId: 'holder' };

/** Whether a row changed anything. @throws Failure, at the field that is to blame, where it was refused */
function outcomeOf({ results: [result] }: Applied): boolean {
  if (result === undefined) throw new Failure('internal', 'The service answered without a result.');
  if (result.outcome === 'FAILED') {
    const failure = new Failure(result.reason ?? 'internal', result.message ?? 'The row was refused.');
    failure.field = FIELDS[result.field ?? ''] ?? result.field ?? undefined;
    throw failure;
  }
  return result.outcome !== 'UNCHANGED';
}

/** As `outcomeOf`; undefined where the row needs a second person: then its proposal opens. */
function useFollow() {
  const proposed = useProposed();
  return (applied: Applied): boolean | undefined => {
    if (applied.proposal === null) return outcomeOf(applied);
    proposed(applied.proposal);
    return undefined;
  };
}

/** Adds an event, or brings it to what the row says. */
export function useEventRow() {
  const change = useChange(UPSERT_EVENT);
  const follow = useFollow();
  return async (row: EventRow, reason?: string) => follow(await change.mutateAsync({ row, reason: reason ?? null }));
}

/** Adds a ticket type, or brings it to what the row says. */
export function useTicketTypeRow() {
  const change = useChange(UPSERT_TICKET_TYPE);
  const follow = useFollow();
  return async (row: TicketTypeRow, reason?: string) =>
    follow(await change.mutateAsync({ row, reason: reason ?? null }));
}

/** Brings a ticket to what the row says. */
export function useTicketRow() {
  const change = useChange(UPSERT_TICKET);
  const follow = useFollow();
  return async (row: TicketRow, reason?: string) => follow(await change.mutateAsync({ row, reason: reason ?? null }));
}
