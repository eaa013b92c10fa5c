import { type Mutant, mutantsOf } from './mutant.ts';

const DELIVERIES = ['test/src/notification/deliveries.test.ts'];
const LEASES = ['test/src/notification/deliveries.test.ts'];
const HEADS = ['test/src/notification/told-of.test.ts'];
const ADDRESSES = ['test/src/notification/endpoint-addresses.test.ts'];
const POLLS = ['test/src/notification/deliveries.test.ts'];

/** Faults in what partners are told, in its order, and in where it goes. */
export const NOTIFYING: readonly Mutant[] = [
  ...mutantsOf('src/notification/waiting-heads.ts', DELIVERIES, [
    ['order by first.id limit 1', 'order by first.id desc limit 1'],
  ]),
  ...mutantsOf('src/notification/waiting-heads.ts', HEADS, [
    ['lane = further.at(-1)?.lane ?? FIRST_LANE', 'lane = FIRST_LANE'],
    ['order by due_at, id limit ${NEAR}', 'order by due_at, id'],
  ]),
  ...mutantsOf('src/notification/lease-endpoints.ts', DELIVERIES, [
    ['and (e.leased_until is null or e.leased_until <= $1)', ''],
  ]),
  ...mutantsOf('src/notification/lease-endpoints.ts', LEASES, [
    [
      'set leased_until = $3 where id = $1 and leased_by = $2 returning id',
      'set leased_until = leased_until where id = $1 and leased_by = $2 and $3::timestamptz is not null returning id',
    ],
    ['and e.paused_at is null', ''],
  ]),
  ...mutantsOf('src/notification/may-send.ts', LEASES, [[' and e.paused_at is null', '']]),
  ...mutantsOf('src/notification/record-attempt.ts', LEASES, [
    [
      "where id = $3 and state <> 'delivered' and ${HELD}",
      "where id = $3 and state <> 'delivered' and $2::text is not null",
    ],
    [
      "where id = $3 and ${filterOnly('ended_at is null')} and ${HELD}",
      "where id = $3 and ${filterOnly('ended_at is null')} and $2::text is not null",
    ],
    [
      'where id = $1 and leased_by = $2\n  returning failures',
      'where id = $1 and $2::text is not null\n  returning failures',
    ],
  ]),
  ...mutantsOf('src/notification/record-attempt.ts', DELIVERIES, [
    ["reason = gone ? 'gone' :", 'reason ='],
    ['const rest = Math.max(restAfter(failures),', 'const rest = Math.max(0,'],
  ]),
  ...mutantsOf(
    'src/notification/endpoint-secrets.ts',
    [...DELIVERIES, ...POLLS],
    [
      [
        'secret_hash = $1 and (expires_at is null or expires_at > $2)',
        'secret_hash = $1 and $2::timestamptz is not null',
      ],
      [
        'sealed_secret is not null and (expires_at is null or expires_at > $2)',
        'sealed_secret is not null and $2::timestamptz is not null',
      ],
    ],
  ),
  ...mutantsOf('src/notification/poll-notifications.ts', POLLS, [
    ['where endpoint_id = $1 and jti = any($2)', 'where $1::uuid is not null and jti = any($2)'],
    ['if (!endpoint.usable)', 'if (false)'],
  ]),
  ...mutantsOf('src/public-fetch.ts', ADDRESSES, [
    ['addresses.find(({ address }) => !isAllowed(address))', 'undefined'],
    [" && (parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6))", ''],
    ['ipaddr.process(address);', 'ipaddr.parse(address);'],
  ]),
];
