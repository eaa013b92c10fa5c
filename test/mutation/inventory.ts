import { type Mutant, mutantsOf } from './mutant.ts';

const ROWS = ['test/src/inventory/apply-rows.test.ts'];
const PLANS = ['event', 'ticket-type', 'ticket', 'holder'].map((of) => `test/src/inventory/plan-${of}.test.ts`);
const SEEN = ['test/src/inventory/seen-by-fans.test.ts'];
const RACES = ['test/races/inventory.test.ts'];
const ADOPTION = ['test/src/inventory/adoption.test.ts'];
const ONCHAIN = ['test/src/inventory/life-onchain.test.ts'];
const ORDERED = ['test/src/inventory/ordered-moves.test.ts'];

/** Faults in what makes an import repeatable, keeps its rows apart, and says who holds a ticket. */
export const INVENTORY: readonly Mutant[] = [
  ...mutantsOf('src/inventory/adopt-account.ts', ADOPTION, [
    [
      "if (isUnreadable(account) || account.derived !== address) return fault('wrong_account');\n  if (accounts.taken.has(address))",
      "if (isUnreadable(account)) return fault('wrong_account');\n  if (accounts.taken.has(address))",
    ],
    [
      "if (isUnreadable(account) || account.derived !== address) return fault('wrong_account');\n  if (account.event",
      "if (isUnreadable(account)) return fault('wrong_account');\n  if (account.event",
    ],
    ["if (account.event !== wanted.event) return fault('wrong_event');", ''],
    ["if (accounts.taken.has(address)) return fault('account_taken');", ''],
    ["if (fan !== wanted.fan) return fault('held_by_another');", ''],
    ['accounts.taken.add(address).add(ticketId);\n', ''],
  ]),
  ...mutantsOf('src/inventory/named-accounts.ts', ADOPTION, [
    [" and f.mode = 'production'", ''],
    ['this.#away = true;', 'throw error;'],
    [' && !stored.tickets.has(row.reference)', ''],
  ]),
  ...mutantsOf('src/inventory/plan-ticket.ts', ADOPTION, [
    ["return rowFault('another_account', 'tix_permit_id');", "return 'unchanged';"],
    ['adopted?.ticketId ?? tixTicketId(id)', 'tixTicketId(id)'],
    ['issued: adopted !== undefined', 'issued: false'],
  ]),
  ...mutantsOf('src/inventory/plan-event.ts', ADOPTION, [
    ["if (isAnother(row.tix_event_id, event.tix_event_id)) return rowFault('another_account', 'tix_event_id');", ''],
  ]),
  ...mutantsOf('src/inventory/write-plan.ts', ADOPTION, [['  await deferAdopted(client, plan);\n', '']]),
  ...mutantsOf('src/inventory/apply-rows.ts', ADOPTION, [['    await syncAdopted(context, plan);\n', '']]),
  ...mutantsOf('src/inventory/plan-holder.ts', ADOPTION, [[' || ticket.issued) {', ') {']]),
  ...mutantsOf('src/inventory/plan.ts', PLANS, [
    ['row.updated_at !== undefined && stored.updated_at !== null && row.updated_at < stored.updated_at', 'false'],
    ['row.updated_at < stored.updated_at', 'row.updated_at <= stored.updated_at'],
    ['row.updated_at === undefined || row.updated_at.getTime() ===', 'row.updated_at?.getTime() === Number.NaN &&'],
    ['  stored.updated_at = row.updated_at;\n', ''],
  ]),
  ...mutantsOf('src/inventory/plan-event.ts', PLANS, [
    ["if (isStale(row, event)) return 'stale';", ''],
    ['comparable(stored) === comparable(value)', 'stored === value'],
    ['if (Object.keys(after).length === 0) return false;', ''],
    ["status === undefined || (status === 'cancelled') === (event.cancelled_at !== null)", 'status === undefined'],
    ["status === undefined || (status === 'cancelled')", "(status === 'cancelled')"],
    ['if (takeVersion(row, event) || changed)', 'if (changed)'],
    ['if (takeVersion(row, event) || changed)', 'if (takeVersion(row, event) || true)'],
    ['  event.permits_due = true;\n', ''],
    ["row.status === 'cancelled' ? now : null", 'null'],
  ]),
  ...mutantsOf('src/inventory/plan-ticket-type.ts', PLANS, [
    ['if (event === undefined) return unknownEvent(row);', ''],
    ['type !== undefined && isStale(row, type)', 'false'],
    ["if (named !== undefined && named !== type) return rowFault('name_taken', 'name');", ''],
    ['named !== undefined && named !== type', 'named !== undefined'],
    ['event_id === event.id && name', 'name'],
    ['type.event_id === event.id && ', ''],
    ['takeVersion(row, type) || renamed', 'true'],
  ]),
  ...mutantsOf('src/inventory/plan-ticket.ts', PLANS, [
    ['if (event === undefined) return unknownEvent(row);', ''],
    ['if (type === undefined) return unknownType(row);', ''],
    [
      "if (ticket !== undefined && ticket.event_id !== event.id) return rowFault('another_event', 'event');",
      'if (ticket === null) return ticket;',
    ],
    ['ticket !== undefined && isStale(row, ticket)', 'false'],
    ["if (typeof named === 'object') return named;", ''],
    ["if (takeVersion(row, ticket) || changed || named !== 'same')", "if (changed || named !== 'same')"],
    ["if (takeVersion(row, ticket) || changed || named !== 'same')", 'if (plan.tickets)'],
    ["if (namesNobody(row)) return rowFault('invalid_row', 'holder_phone', NO_HOLDER);", ''],
    ["if (holder === undefined) return unknownFan(row, 'holder_fan_id');", ''],
    ['if (holder === undefined) return unknownFan(row, field);', ''],
    ['namesNobody(row) || ticket.named_holder_key === keyOf(row)', 'namesNobody(row)'],
    ['namesNobody(row) || ticket.named_holder_key', 'ticket.named_holder_key'],
    ["if (typeof named === 'string') register(", 'register('],
    ['fans.byPhone.get(phone) ?? newFans', 'newFans'],
    ['newFans.get(phone) ?? ', ''],
    ['fan !== undefined && fans.ids.has(fan) ? { fan, key }', 'fan !== undefined ? { fan, key }'],
    ['phone !== undefined && !fans.byPhone.has(phone)', 'phone !== undefined'],
    ["status === 'valid' && event.cancelled_at === null ? null", "status === 'valid' ? null"],
    ["status === 'valid' && event.cancelled_at === null ? null", 'event.cancelled_at === null ? null'],
    ['status === undefined || status === ticket.status', 'status === ticket.status'],
    ['status === undefined || status === ticket.status', 'status === undefined'],
    ["status !== 'valid' || event.cancelled_at !== null", "status !== 'valid'"],
    ['withdrawn && ticket.revoked_at === null', 'withdrawn'],
    ['if (!withdrawn) plan.withdrawn.delete(ticket);', ''],
    ['ticket.revoked_at ?? plan.now', 'plan.now'],
  ]),
  ...mutantsOf('src/inventory/plan-holder.ts', PLANS, [
    ["if (before === holder.fan) return take('named');", ''],
    ["if (ticket.moving) return rowFault('transfer_under_way', field);", ''],
    ["if (owner === holder.fan) return take('changed');", ''],
    ["if (owner === null) return rowFault('held_elsewhere', field);", ''],
    ["if (before !== null && owner !== before) return rowFault('sold_on', field);", ''],
    ['ticket.version !== null || ticket.issued', 'ticket.reference'],
    ['    ticket.moving = ticket.issued;\n', ''],
    ['if (!ticket.issued) ticket.owner_id = holder.fan;', 'ticket.owner_id = holder.fan;'],
  ]),
  ...mutantsOf('src/inventory/apply-rows.ts', ROWS, [
    ['if (!isRowFault(error)) throw error;', 'throw error;'],
    ['index: result.index + middle', 'index: result.index'],
    ['if (rows.length > MOST_ROWS) {', 'if (rows.length > 9_999) {'],
  ]),
  ...mutantsOf('src/inventory/apply-rows.ts', RACES, [
    ['if (!(error instanceof PlanOutdated || isDeadlock(error))) throw error;', 'throw error;'],
  ]),
  ...mutantsOf('src/inventory/lock-plan.ts', RACES, [
    ['versions.get(id) !== version', 'versions.get(id) === undefined'],
    ['from event where id = any($1) order by id for share', 'from event where id = any($1) order by id'],
  ]),
  ...mutantsOf('src/inventory/write-plan.ts', RACES, [
    ['if (written < given) throw new PlanOutdated();', 'if (written < 0) throw new PlanOutdated();'],
  ]),
  ...mutantsOf('src/ticket/future-tickets.ts', SEEN, [[' and ${event}.cancelled_at is null', '']]),
  ...mutantsOf('src/inventory/write-plan.ts', SEEN, [
    ['    fans: given.map(([, { from }]) => from),\n', '    fans: [],\n'],
  ]),
  ...mutantsOf('src/inventory/plan-holder.ts', ONCHAIN, [
    ["if (before !== null && owner !== before) return rowFault('sold_on', field);", ''],
    ["if (ticket.moving) return rowFault('transfer_under_way', field);", ''],
    ['if (!ticket.issued) ticket.owner_id = holder.fan;', 'ticket.owner_id = holder.fan;'],
  ]),
  ...mutantsOf('src/custody-move/settle-move.ts', ONCHAIN, [
    [
      "if (move.kind === 'close_listing' && !move.withdrawn) return",
      "if (move.kind !== 'close_listing' && !move.withdrawn && move.tries < 0) return",
    ],
    ['if (mayBeListed(context, move)) await', 'if (move.tries < 0) await'],
    ["kind === 'close_listing' && slot >= landed", 'slot < 0'],
    ['await inTransaction(context.pool, (client) => syncPermit(context, client, chain, move, slot));\n', ''],
  ]),
  ...mutantsOf('src/custody-move/move-rows.ts', ONCHAIN, [
    ['and exists (select from permit p where p.id = m.permit_id and p.issued_at is not null)', ''],
    ['and e.ends_at <= $2) as withdrawn', 'and false and e.ends_at <= $2) as withdrawn'],
  ]),
  ...mutantsOf('src/inventory/settle-ended-events.ts', ONCHAIN, [
    ['tickets.filter((id) => !onSale.has(id))', 'tickets'],
  ]),
  ...mutantsOf('src/inventory/write-plan.ts', ONCHAIN, [
    ['case when e.ends_at = g.ends_at then e.grants_narrowed_at end', 'e.grants_narrowed_at'],
  ]),
  ...mutantsOf('src/custody-move/move-rows.ts', ORDERED, [
    [" and not exists (select from claim where permit_id = $1 and state = 'confirmed')", ' and $1::uuid is not null'],
  ]),
  ...mutantsOf('src/custody-move/settle-move.ts', ORDERED, [
    ['  if (move.signature !== null) await forget(context.pool, move, move.signature);\n  throw', '  throw'],
  ]),
  ...mutantsOf('src/custody-move/order-moves.ts', ORDERED, [
    ["m.state = 'open' and m.signature is null\n", "m.state = 'done' and m.signature is null\n"],
    ['case when p.issued_at is not null then source.address end', 'source.address'],
  ]),
  ...mutantsOf('src/inventory/stored-state.ts', ORDERED, [['m.signature is not null or ', '']]),
  ...mutantsOf('src/inventory/settle-events.ts', ONCHAIN, [
    ["p.revoked_at is not null and t.status = 'valid'", 'p.revoked_at is not null'],
  ]),
];
