/** Sandbox data lives on a test network and belongs to test users; production data is real. The two never mix. */
export const MODES = ['sandbox', 'production'] as const;
export type Mode = (typeof MODES)[number];
