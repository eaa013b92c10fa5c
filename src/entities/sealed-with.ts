import { p } from '@mikro-orm/core';

/** The id of the key that sealed the row's secret (`keys/seal.ts`); empty where that was before keys had ids. */
export const sealedWith = () => p.string().length(32).default('');
