import { builder } from './builder.ts';
import './member.ts';
import './client.ts';
import './client-changes.ts';
import './test-data.ts';
import './sandbox.ts';
import './simulation.ts';
import './request-log.ts';
import './go-live-check.ts';
import './usage.ts';
import './notification.ts';
import './notification-changes.ts';

/** The schema of the partner workspace: each imported file adds its types, queries and mutations to the builder. */
export const schema = builder.toSchema();
