import { builder } from './builder.ts';
import './scalars.ts';
import './partner.ts';
import './staff.ts';
import './staff-token.ts';

/** The whole schema: each file above adds its types, queries and mutations to the builder. */
export const schema = builder.toSchema();
