import { builder } from './builder.ts';
import './scalars.ts';
import './partner.ts';
import './scope.ts';
import './client.ts';
import './client-logo.ts';
import './client-registration.ts';
import './client-review.ts';
import './client-steps.ts';
import './kill-switch.ts';
import './staff.ts';
import './staff-token.ts';
import './activity.ts';
import './audit-entry.ts';
import './chain.ts';
import './claim.ts';
import './event.ts';
import './fan.ts';
import './grant.ts';
import './listing.ts';
import './permit.ts';
import './sandbox.ts';
import './signing-key.ts';
import './test-user.ts';
import './ticket.ts';
import './verification.ts';

/** The whole schema: each imported file adds its types, queries and mutations to the builder. */
export const schema = builder.toSchema();
