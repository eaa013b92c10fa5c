/**
 * The contexts of `src`, from the ground up. A context imports only those before it in this list. Within a context the rooms (its
 * folders, and the files beside them) import each other without circles, and so do files. `docs/architecture.md` shows the same list; a test
 * compares them. `runtime.ts` puts the parts of the service together.
 */
export const CONTEXTS: readonly string[] = [
  'platform',
  'entities',
  'record',
  'keys',
  'partners',
  'chain',
  'oauth',
  'tickets',
  'sign-in',
  'inventory',
  'runtime.ts',
  'people',
  'sandbox',
];

/** The workspaces of `packages/`. A package imports only those before it, and nothing else of the project; the last one runs the service. */
export const PACKAGES: readonly string[] = [
  'look',
  'solana-wire',
  'ticket-program',
  'cosign-policy',
  'sdk',
  'localnet',
  'embedded-postgres',
  'build-pages',
  'sandbox',
];
