/** Sandbox data is on a test network and belongs to test users; production data is real. They never mix. */
export const MODES = ['sandbox', 'production'] as const;
export type Mode = (typeof MODES)[number];
