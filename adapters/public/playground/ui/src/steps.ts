export const STEPS = ['sign-in', 'callback', 'tokens', 'tickets', 'list', 'sell', 'errors', 'log'] as const;
export type Step = (typeof STEPS)[number];
