import type { Proposal } from '../src/entities/proposal.ts';
import { TICKET_STATUSES } from '../src/entities/ticket.ts';
import { applyRows, MOST_ROWS } from '../src/inventory/apply-rows.ts';
import { ROW_KINDS, ROW_OUTCOMES, type RowKind, type RowResult } from '../src/inventory/row-result.ts';
import { MOST_ALONE, SecondPersonNeeded, takesAlone } from '../src/inventory/take-alone.ts';
import { isService } from '../src/partners/rights.ts';
import { proposeRows } from '../src/people/proposal/inventory-rows.ts';
import { givenReason } from '../src/record/audit/reason.ts';
import { builder, enumOf, mutation } from './builder.ts';
import { type Call, callerOf, staffOf, viewerOf } from './context.ts';
import { ProposalType } from './proposal.ts';

const RowKindType = enumOf('InventoryRowKind', ROW_KINDS);
const RowOutcomeType = enumOf(
  'InventoryRowOutcome',
  ROW_OUTCOMES,
  'How a row went. STALE: a newer version of it is stored. FAILED rows change nothing.',
);

const RowResultType = builder.objectRef<RowResult>('InventoryRowResult').implement({
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Position in the call, from 0.' }),
    kind: t.expose('kind', { type: RowKindType, nullable: true }),
    reference: t.exposeString('reference', { nullable: true }),
    outcome: t.expose('outcome', { type: RowOutcomeType }),
    reason: t.string({
      nullable: true,
      description: 'Of a failed row, for programs: `unknown_event`, `invalid_row`, …',
      resolve: ({ reason }) => reason,
    }),
    message: t.string({ nullable: true, description: 'What is wrong, for people.', resolve: ({ message }) => message }),
    field: t.string({
      nullable: true,
      description: 'The member that is wrong.',
      resolve: ({ field }) => field && camelCased(field),
    }),
  }),
});

interface RowsApplied {
  results: RowResult[];
  proposal?: Proposal;
}

const RowsAppliedType = builder.objectRef<RowsApplied>('InventoryRowsApplied').implement({
  fields: (t) => ({
    results: t.field({
      type: [RowResultType],
      description: 'One per row; none where the rows were proposed.',
      resolve: (it) => it.results,
    }),
    proposal: t.field({
      type: ProposalType,
      nullable: true,
      description: `The proposal of all rows, where they would take more than ${MOST_ALONE} tickets from their holders or off sale. Nothing is applied before a second person approves it.`,
      resolve: (it) => it.proposal,
    }),
  }),
});

const TIME = 'RFC 3339 with an offset, such as `2026-11-21T18:00:00Z`.';
const VERSION = 'When the row was last changed in the company’s system: an older row is ignored as stale.';

const ADOPTS = 'Of a new one, the address of its';

const EventRowInput = builder.inputType('EventRowInput', {
  fields: (t) => ({
    reference: t.string({ required: true, description: 'The company’s own, 1 to 200 characters.' }),
    name: t.string({ required: true, description: '1 to 200 characters.' }),
    venue: t.string({ description: '1 to 200 characters. Null removes it; left out, it stays.' }),
    startsAt: t.string({ required: true, description: TIME }),
    endsAt: t.string({ required: true, description: TIME }),
    timeZone: t.string({ description: 'IANA name of the venue’s zone; UTC for a new event if omitted.' }),
    status: t.string({ description: '`scheduled` or `cancelled`; left out, it stays.' }),
    resaleUntil: t.string({
      description: `${TIME} Until then its tickets can be resold, at the latest until it ends. Null: until it ends; left out, it stays.`,
    }),
    tixEventId: t.string({ description: `${ADOPTS} Event account, that was registered elsewhere.` }),
    updatedAt: t.string({ description: VERSION }),
  }),
});

const TicketTypeRowInput = builder.inputType('TicketTypeRowInput', {
  fields: (t) => ({
    reference: t.string({ required: true, description: 'The company’s own, unique within the event.' }),
    event: t.string({ required: true, description: 'The reference of its event.' }),
    name: t.string({ required: true, description: '1 to 120 characters, unique within the event.' }),
    resale: t.string({ description: '`yes` or `no`: whether its tickets can be put on sale; left out, it stays.' }),
    updatedAt: t.string({ description: VERSION }),
  }),
});

const TicketRowInput = builder.inputType('TicketRowInput', {
  fields: (t) => ({
    reference: t.string({ required: true, description: 'The company’s own, 1 to 200 characters.' }),
    ticketType: t.string({ required: true, description: 'The reference of its type.' }),
    event: t.string({ required: true, description: 'The reference of its event.' }),
    holderPhone: t.string({ description: 'E.164. Either this or `holderFanId`; neither, where the holder stays.' }),
    holderFanId: t.string({ description: 'The ID of a production fan.' }),
    purchasedAt: t.string({ description: `${TIME} The time of the call for a new ticket if omitted.` }),
    status: t.string({ description: `One of ${TICKET_STATUSES.join(', ')}; left out, it stays.` }),
    usedAt: t.string({ description: `${TIME} Of a ticket with the status used: the time of the call if omitted.` }),
    label: t.string({ description: 'The name of the seat, 1 to 80 characters. Null removes it; left out, it stays.' }),
    tixPermitId: t.string({
      description: `${ADOPTS} Permit account, that was issued elsewhere to the holder’s wallet.`,
    }),
    updatedAt: t.string({ description: VERSION }),
  }),
});

const DESCRIPTION = `Up to ${MOST_ROWS} rows of what things are to be: the same rows may come again. Each succeeds or fails by itself. Rows of a person that give tickets to others, withdraw them, take them off sale or cancel events need a sign-in within the last 5 minutes and a reason; beyond ${MOST_ALONE} tickets within a day they become a proposal.`;

const REASON = 'Why, 1 to 1,000 characters; it is added to the audit log.';

builder.mutationFields((t) => ({
  upsertEvents: t.field({
    type: RowsAppliedType,
    ...mutation('inventory:write'),
    description: DESCRIPTION,
    args: { rows: t.arg({ type: [EventRowInput], required: true }), reason: t.arg.string({ description: REASON }) },
    resolve: (_, { rows, reason }, call) => apply('event', rows, reason, call),
  }),
  upsertTicketTypes: t.field({
    type: RowsAppliedType,
    ...mutation('inventory:write'),
    description: DESCRIPTION,
    args: {
      rows: t.arg({ type: [TicketTypeRowInput], required: true }),
      reason: t.arg.string({ description: REASON }),
    },
    resolve: (_, { rows, reason }, call) => apply('ticket_type', rows, reason, call),
  }),
  upsertTickets: t.field({
    type: RowsAppliedType,
    ...mutation('inventory:write'),
    description: DESCRIPTION,
    args: { rows: t.arg({ type: [TicketRowInput], required: true }), reason: t.arg.string({ description: REASON }) },
    resolve: (_, { rows, reason }, call) => apply('ticket', rows, reason, call),
  }),
}));

async function apply(
  kind: RowKind,
  rows: readonly object[],
  reason: string | null | undefined,
  call: Call,
): Promise<RowsApplied> {
  const context = call.work();
  const { requestId, staffToken } = context;
  const why = reason == null ? undefined : givenReason(reason);
  const given = rows.map((row) => ({ kind, ...inSnakeCase(row) }));
  const source = { actor: callerOf(call), requestId, staffToken, reason: why };
  // a service account is the company's own system
  if (isService(staffOf(call))) return { results: await applyRows(context, given, source) };
  const person = viewerOf(call);
  try {
    return { results: await applyRows(context, given, { ...source, check: takesAlone(person, why) }) };
  } catch (error) {
    if (!(error instanceof SecondPersonNeeded) || why === undefined) throw error;
    const { effects } = error;
    return { results: [], proposal: await proposeRows(call.work(), { rows: given, effects, reason: why }, person) };
  }
}

/** Members that a null removes. */
const REMOVABLE: ReadonlySet<string> = new Set(['venue', 'label', 'resaleUntil']);

/** A row in the form of import files. Elsewhere a null means the same as a missing member. */
function inSnakeCase(row: object): Record<string, unknown> {
  const members = Object.entries(row).filter(([name, value]) => value !== null || REMOVABLE.has(name));
  return Object.fromEntries(
    members.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}

function camelCased(member: string): string {
  return member.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
