/** What may be resold, until when and where: `src/tickets/listing/statements.ts` and `src/inventory/end-sales.ts` read it. */
export const RESALE_OF_TYPE = ['alter table ticket_type add column resale boolean not null default true'];

export const RESALE_OF_EVENT = [
  'alter table event add column resale_until timestamptz null, add column resale_ended_at timestamptz null',
];

export const RESALE_INDEX = [
  'drop index concurrently if exists event_resale_due',
  `create index concurrently event_resale_due on event (resale_until)
   where resale_until is not null and resale_ended_at is null`,
];

export const ENDED_RESALE = [
  `alter table ended_access add column ticket_type_id uuid null, add column event_id uuid null,
    add column marketplace varchar(44) null, add column walked boolean not null default false`,
  `alter table ended_access add constraint ended_access_ticket_type_id_foreign foreign key (ticket_type_id)
    references ticket_type (id) on delete cascade`,
  `alter table ended_access add constraint ended_access_event_id_foreign foreign key (event_id)
    references event (id) on delete cascade`,
];

export const STOPPED_MARKETPLACES = [
  'alter table kill_switch add column marketplace varchar(44) null',
  'alter table kill_switch drop constraint kill_switch_kind_check',
  `alter table kill_switch add constraint kill_switch_kind_check
    check (kind in ('client', 'fan', 'co_signing', 'sms_country', 'marketplace'))`,
];

/** The index before allowed one row of a kind without client, fan and country. */
export const STOPPED_MARKETPLACES_INDEX = [
  'drop index concurrently if exists kill_switch_one_of_each',
  `create unique index concurrently kill_switch_one_of_each on kill_switch (kind, client_id, fan_id, country, marketplace)
   nulls not distinct`,
  'drop index concurrently if exists kill_switch_one_each',
];
