/**
 * The rooms of `src`, from the ground up. A room imports only rooms that stand before it in this list, so no two rooms import
 * each other in a circle. `docs/architecture.md` shows the same list; a test compares them.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ['errors.ts', 'chain-error.ts', 'in-slices.ts', 'public-fetch.ts', 'take-turns.ts'],
  ['identifier'],
  ['entities'],
  ['oauth', 'database', 'image'],
  ['config'],
  ['context.ts'],
  ['audit', 'chain', 'job', 'mail'],
  ['keys'],
  ['staff', 'wallet'],
  ['client', 'kill-switch'],
  ['abuse', 'authorization', 'go-live-check', 'grant', 'notification', 'partner'],
  ['fan', 'passkey', 'token'],
  ['ticket'],
  ['verification'],
  ['activity', 'claim', 'consent', 'custody-move', 'issuing', 'listing'],
  ['cluster', 'failure', 'inventory'],
  ['import', 'portal', 'workspace', 'runtime.ts'],
  ['proposal', 'sandbox'],
];

/** The workspaces of `packages/`. A package imports only those before it, and nothing else of the project. */
export const PACKAGES: readonly string[] = [
  'solana-wire',
  'ticket-program',
  'cosign-policy',
  'sdk',
  'localnet',
  'embedded-postgres',
  'build-pages',
];

/** Rooms that a room of a floor may import: those of the floors below. */
export function roomsBelow(room: string): Set<string> {
  const floor = FLOORS.findIndex((rooms) => rooms.includes(room));
  return new Set(FLOORS.slice(0, Math.max(0, floor)).flat());
}
