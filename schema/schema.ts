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
import './feed.ts';
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
import './sale.ts';
import './proposal.ts';
import './fan-number.ts';
import './fan-data.ts';
import './request-log.ts';
import './sandbox.ts';
import './simulation.ts';
import './signing-key.ts';
import './test-user.ts';
import './ticket.ts';
import './ticket-lists.ts';
import './verification.ts';
import { GraphQLSchema, isObjectType, isUnionType } from 'graphql';
import { builder } from './builder.ts';

/** Ends the name of a type or field that partners see in another form than staff. */
const MARK = 'ForPartners';

/** The partners' view, with the names that partners see: `viewer` for `viewerForPartners`, `Viewer` for `ViewerForPartners`. */
function withPartnersNames(view: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(view.getTypeMap())) {
    if (type.name.includes(MARK)) Object.assign(type, { name: plain(type.name) });
    if (isObjectType(type)) {
      const fields = type.getFields();
      for (const [name, field] of Object.entries(fields).filter(([each]) => each.endsWith(MARK))) {
        delete fields[name];
        fields[plain(name)] = Object.assign(field, { name: plain(name) });
      }
    }
    if (isUnionType(type)) {
      const { resolveType } = type;
      type.resolveType = async (...call) => {
        const name = await resolveType?.(...call);
        return name && plain(name);
      };
    }
  }
  return new GraphQLSchema({ ...view.toConfig(), types: [] });
}

function plain(name: string): string {
  return name.replace(MARK, '');
}

/** The view of staff: each imported file adds its types, queries and mutations to the builder. */
export const schema = builder.toSchema({ subGraph: 'staff' });

/** The view of partners. */
export const partnerSchema = withPartnersNames(builder.toSchema({ subGraph: 'partner' }));
