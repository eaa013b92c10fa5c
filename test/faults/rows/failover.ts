import type { Fault } from '../fault.ts';
import type { Stand } from '../stand/stand.ts';

/** A streaming replica takes over. It is synchronous, as where nothing that was told may be lost. */
export const FAILOVER_FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL killed, its replica takes over after 5 s',
    hits: 'everything',
    ready: 'no',
    stand: { replica: true },
    holdMs: 5_000,
    inject: ({ postgres }) => postgres.kill(),
    heal: promote,
  },
  {
    name: 'PostgreSQL hung, its replica takes over after 8 s',
    hits: 'everything',
    ready: 'no',
    stand: { replica: true },
    holdMs: 8_000,
    // connections to the old server stay open and are silent for ever: each must be given up by its time limit
    wholeWithinMs: 35_000,
    inject: ({ postgres }) => postgres.freeze(),
    heal: promote,
  },
];

async function promote(stand: Stand): Promise<void> {
  const { replica, wire } = stand;
  if (!replica) throw new Error('the stand has no replica');
  await replica.run('select pg_promote(true, 20)');
  wire.leadTo(replica.port);
  stand.current = replica;
}
