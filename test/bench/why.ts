/** Why a goal is missed, by the beginning of what is judged. */
const REASONS: readonly (readonly [string, string])[] = [
  [
    'code exchange with signatures',
    'both sides make the same two RSA signatures, which are more than a third of our CPU time; half of the peer would leave less for everything else than the floor needs.',
  ],
  [
    'code exchange',
    'the bare floor itself needs about 0.4 of the peer’s CPU time; the rest is the form, the limits, the hashes of code and token, the log of requests and their metrics.',
  ],
  [
    'refresh',
    'beside the one statement there are the form, the limits, the hashes of both tokens, the log of requests and their metrics.',
  ],
  [
    'userinfo',
    'the floor has no router, no limits, no log of requests and no metrics, which take as long as the statement.',
  ],
  ['GET /tickets', 'the floor checks no token and has no router, no limits, no log of requests and no metrics.'],
  [
    '4 listings, p99',
    'the p99 of a round scatters between 16 and 39 ms at every size: of four runs the ratio was 0.70, 0.80, 1.83 and 1.26.',
  ],
  [
    '4 listings',
    'the statement also checks the grant, kill switches, our own keys and marketplaces, under a lock of each permit.',
  ],
  [
    '10 claims',
    'each claim has three audit entries instead of one, foreign keys and triggers that the floor’s tables do not have, and some 65 records of PostgreSQL’s log (WAL) against the floor’s 39; before it submits, a request reads the grant, what is known of its permits, and the cluster.',
  ],
  [
    'memory, all embedded',
    'beside that of a process with its own database, the local network has a thread with a heap of its own, the virtual machine, and the blocks and accounts that it keeps: some 65 MB.',
  ],
  [
    'memory',
    'of some 240 MB, 67 are pages of the Node program itself, 64 the live heap, most of it modules, and 16 the nursery; the rest is memory outside of the heap and room that collections leave. A smaller heap costs more CPU time than the 10 % it may (D-264).',
  ],
  ['ready', 'PostgreSQL starts, the schema is compared and every module is loaded before the first request.'],
  ['statements', 'each page of the sign-in reads its session, and each step writes it in a transaction.'],
];

export function whyItMisses(what: string): string {
  return REASONS.find(([beginning]) => what.startsWith(beginning))?.[1] ?? 'not known yet.';
}
