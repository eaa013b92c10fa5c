import { builder } from './builder.ts';
import { withPartnersNames } from './views.ts';
import './scalars.ts';
import './partner.ts';
import './partner-member.ts';
import './scope.ts';
import './client.ts';
import './client-logo.ts';
import './client-registration.ts';
import './client-review.ts';
import './client-steps.ts';
import './go-live-check.ts';
import './kill-switch.ts';
import './service-account.ts';
import './staff.ts';
import './staff-token.ts';
import './activity.ts';
import './audit-entry.ts';
import './chain.ts';
import './claim.ts';
import './event.ts';
import './fan.ts';
import './grant.ts';
import './import-run.ts';
import './inventory.ts';
import './inventory-figures.ts';
import './limits.ts';
import './listing.ts';
import './member.ts';
import './notification.ts';
import './notification-changes.ts';
import './permit.ts';
import './custody-move.ts';
import './proposal.ts';
import './fan-number.ts';
import './request-log.ts';
import './sandbox.ts';
import './simulation.ts';
import './signing-key.ts';
import './test-user.ts';
import './ticket.ts';
import './ticket-lists.ts';
import './verification.ts';

/** The view of staff: each imported file adds its types, queries and mutations to the builder. */
export const schema = builder.toSchema({ subGraph: 'staff' });

/** The view of partners. */
export const partnerSchema = withPartnersNames(builder.toSchema({ subGraph: 'partner' }));
