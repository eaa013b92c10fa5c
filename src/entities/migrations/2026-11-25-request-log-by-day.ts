/**
 * The request log becomes `request_log`, with a partition per day. The table of the release before, `api_request`, is its first partition:
 * it keeps its name, its rows and its unique `id`, so that processes of that release go on. For seven days it takes new rows; then their
 * days do, and those processes must be gone. No step holds up requests: indexes are built concurrently, a checked constraint spares the
 * attachment its scan, and the locks of the last step last for milliseconds.
 *
 * @module
 */

const SECOND = "date_trunc('second', at at time zone 'UTC')";
const FIRST_DAY = "date_trunc('day', now(), 'UTC') + interval '7 days'";

/** `kind`, name and columns; each index of the partitioned table has its match in the first partition. */
const built = (kind: string, name: string, columns: string, where = '') => [
  `drop index concurrently if exists ${name}`,
  `create ${kind} concurrently ${name} on api_request (${columns}) ${where}`,
];

export const REQUEST_LOG_INDEXES = [
  // for the statement of the release before, once the primary key has the time
  ...built('unique index', 'api_request_id', 'id'),
  ...built('unique index', 'api_request_id_at', 'id, at'),
  ...built('index', 'api_request_second', SECOND),
  ...built('index', 'api_request_client_second', `client_id, ${SECOND}`, 'where client_id is not null'),
  ...built('index', 'api_request_kind', `outcome, operation, status, ${SECOND}`),
  ...built('index', 'api_request_client_kind', `client_id, outcome, operation, status, ${SECOND}`),
];

export const REQUEST_LOG_BOUND = [
  `alter table api_request add column weight int not null default 1`,
  `do $$ begin
     execute format('alter table api_request add constraint api_request_before check (at < %L) not valid', ${FIRST_DAY});
   end $$`,
];

/** Reads the whole table, beside readers and writers. */
export const REQUEST_LOG_BOUND_CHECKED = ['alter table api_request validate constraint api_request_before'];

export const REQUEST_LOG_BY_DAY = [
  `create table request_log (like api_request including defaults) partition by range (at)`,
  `alter table request_log add primary key (id, at)`,
  `create index request_log_second on request_log (${SECOND})`,
  `create index request_log_client_second on request_log (client_id, ${SECOND}) where client_id is not null`,
  `create index request_log_kind on request_log (outcome, operation, status, ${SECOND})`,
  `create index request_log_client_kind on request_log (client_id, outcome, operation, status, ${SECOND})`,
  `create index request_log_grant_id_at_index on request_log (grant_id, at)`,
  `create index request_log_refused_grant on request_log (grant_id, at) where outcome <> 'ok'`,
  `create index request_log_of_session on request_log (session_id, at) where session_id is not null`,
  `create index request_log_of_fan on request_log (fan_id, at) where grant_id is null and fan_id is not null`,
  `alter table api_request drop constraint api_request_pkey,
     add constraint api_request_pkey primary key using index api_request_id_at`,
  `do $$ begin
     execute format('alter table request_log attach partition api_request for values from (minvalue) to (%L)', ${FIRST_DAY});
   end $$`,
  'alter table api_request drop constraint api_request_before',
  // replaced: with them a statement for one day could read all of the partition in their order
  ...['at', 'client_id_at', 'operation_status_outcome_at', 'client_id_operation_status_outcome_at'].map(
    (columns) => `drop index api_request_${columns}_index`,
  ),
];
