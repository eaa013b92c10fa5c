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
  mutation UpsertTicketType($row: TicketTypeRowInput!) {
    upsertTicketTypes(rows: [$row]) { ${REFUSAL} ... on InventoryRowsApplied { ${RESULT} } }
  }
`);
const UPSERT_TICKET = graphql(`
  mutation UpsertTicket($row: TicketRowInput!, $reason: String) {
    upsertTickets(rows: [$row], reason: $reason) { ${REFUSAL} ... on InventoryRowsApplied { ${RESULT} } }
  }
`);

type Applied = Extract<ResultOf<typeof UPSERT_EVENT>['upsertEvents'], { __typename: 'InventoryRowsApplied' }>;

type EventRow = VariablesOf<typeof UPSERT_EVENT>['row'];
type TicketRow = VariablesOf<typeof UPSERT_TICKET>['row'];

/** Why a row was refused. */
class RowRefusal extends Failure {
  /** The member of the row that is wrong. */
  readonly field: string | null;

  constructor(result: Applied['results'][number]) {
    super(result.reason ?? 'internal', result.message ?? 'The row was refused.');
    this.field = result.field;
  }
}

/** Brings one row in. @returns whether it changed anything @throws RowRefusal */
function outcomeOf({ results: [result] }: Applied): boolean {
  if (result === undefined) throw new Failure('internal', 'The service answered without a result.');
  if (result.outcome === 'FAILED') throw new RowRefusal(result);
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

/** Adds a ticket type, or renames it. */
export function useTicketTypeRow() {
  const change = useChange(UPSERT_TICKET_TYPE);
  return async (row: VariablesOf<typeof UPSERT_TICKET_TYPE>['row']) => outcomeOf(await change.mutateAsync({ row }));
}

/** Brings a ticket to what the row says. */
export function useTicketRow() {
  const change = useChange(UPSERT_TICKET);
  const follow = useFollow();
  return async (row: TicketRow, reason?: string) => follow(await change.mutateAsync({ row, reason: reason ?? null }));
}

/**
 * What is wrong with a row, at its field of a form.
 * @param fields the form's fields by the row's members; the same name where left out
 * @throws what was thrown, where no field of the form is to blame
 */
export function atField(error: unknown, values: object, fields: Readonly<Record<string, string>> = {}) {
  const field = error instanceof RowRefusal && error.field !== null ? (fields[error.field] ?? error.field) : undefined;
  if (field === undefined || !(field in values)) throw error;
  return { field, message: (error as RowRefusal).message };
}
