import { z } from 'zod';
import { NOTIFICATION_TYPES, TEST_TYPE } from '../../../../src/entities/notification.ts';
import { NOTIFICATION_TYPE_TEXTS } from '../../../../src/partners/notification/notification-types.ts';
import { SET_CONTENT_TYPE } from '../../../../src/partners/notification/sign-set.ts';
import { PollSetsRequest, PollSetsResponse } from '../poll-wire.ts';
import { identifier } from '../wire.ts';
import { IDS } from './example-values.ts';
import { POLL_ANSWERS, success } from './fan-answers.ts';
import { jsonBody, type Operation, schemaOf } from './operation.ts';

const TYPES = [...NOTIFICATION_TYPES, TEST_TYPE] as const;
const URIS = TYPES.map((type) => NOTIFICATION_TYPE_TEXTS[type].uri);
const JTI = 'ntf_0r2n8q4v5c9h7b1w6t3k0m9xzd';

const Subject = z.strictObject({
  format: z.literal('complex'),
  user: z.strictObject({ format: z.literal('iss_sub'), iss: z.string(), sub: identifier('usr') }),
  session: z.strictObject({ format: z.literal('opaque'), id: identifier('grant') }),
});

const SecurityEventToken = z
  .strictObject({
    iss: z.string(),
    aud: identifier('client'),
    iat: z.int(),
    jti: identifier('ntf'),
    toe: z.int().describe('When it happened; seconds since the epoch'),
    sub_id: Subject.optional().describe('The fan, and the grant as their session; absent of a test'),
    events: z.record(z.string(), z.looseObject({})).describe(`One member: ${URIS.join(', ')}`),
  })
  .describe('The claims of a Security Event Token (RFC 8417)');

const WebhookBody = z
  .strictObject({
    type: z.enum(TYPES),
    timestamp: z.iso.datetime({ precision: 3 }).describe('When it happened'),
    data: z.looseObject({ sub: identifier('usr').optional(), grant_id: identifier('grant').optional() }),
  })
  .describe('The body of a Standard Webhook');

/** Shapes of notifications, by name. */
export const WEBHOOK_SHAPES = { PollSetsRequest, PollSetsResponse, SecurityEventToken, WebhookBody };

/** @see RFC 8936 */
export const POLL_OPERATION: Operation = {
  id: 'pollNotifications',
  method: 'post',
  path: '/notifications/poll',
  tag: 'Events',
  beside: true,
  scopes: 'endpoint',
  summary: 'Polls for Security Event Tokens',
  description:
    'Answers with the tokens that wait for an endpoint, in order, and takes note of those that you have stored (`ack`) or refuse (`setErrs`). What you do not acknowledge comes again. RFC 8936.',
  body: jsonBody('PollSetsRequest', {
    first: { summary: 'The first poll', value: { returnImmediately: true } },
    next: { summary: 'Acknowledge, and ask for more', value: { ack: [JTI], maxEvents: 10 } },
  }),
  answers: {
    200: success('The tokens that wait.', 'PollSetsResponse', {
      one: { summary: 'One token', value: { sets: { [JTI]: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln' }, moreAvailable: false } },
      none: { summary: 'Nothing waits', value: { sets: {}, moreAvailable: false } },
    }),
    ...POLL_ANSWERS,
  },
};

const ANSWERS = {
  '2XX': { description: 'You have stored it. With any other status, or after 10 seconds, it comes again.' },
  '410': { description: 'You want nothing more: the endpoint is disabled.' },
};

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const CLAIMS = {
  iss: 'http://localhost:3000',
  aud: IDS.client,
  iat: 1_780_000_000,
  jti: JTI,
  toe: 1_779_999_999,
  sub_id: {
    format: 'complex',
    user: { format: 'iss_sub', iss: 'http://localhost:3000', sub: IDS.fan },
    session: { format: 'opaque', id: IDS.grant },
  },
  events: {
    [NOTIFICATION_TYPE_TEXTS['grant.revoked'].uri]: {
      event_timestamp: 1_779_999_999,
      initiating_entity: 'user',
      grant_id: IDS.grant,
      reason: 'revoked_by_fan',
    },
  },
};

const BODY = {
  type: 'grant.revoked',
  timestamp: '2026-05-28T20:26:39.000Z',
  data: { sub: IDS.fan, grant_id: IDS.grant, reason: 'revoked_by_fan' },
};

/** What is sent to partners. @see OpenAPI 3.1 §4.8.1 (webhooks), RFC 8935 */
export const WEBHOOKS = {
  securityEventToken: {
    post: {
      operationId: 'receiveSecurityEventToken',
      tags: ['Events'],
      summary: 'A Security Event Token, by push (RFC 8935)',
      description:
        'A JWT with `typ: secevent+jwt`, signed with a key of the JWKS; its claims are a `SecurityEventToken`. Not part of the specification: an addition to the contract.',
      'x-beside-contract': true,
      security: [],
      requestBody: {
        required: true,
        content: {
          [SET_CONTENT_TYPE]: {
            schema: {
              type: 'string',
              contentMediaType: 'application/jwt',
              contentSchema: schemaOf('SecurityEventToken'),
            },
          },
        },
      },
      responses: ANSWERS,
      'x-claims-example': CLAIMS,
    },
  },
  standardWebhook: {
    post: {
      operationId: 'receiveWebhook',
      tags: ['Events'],
      summary: 'The same as a Standard Webhook',
      description: 'Not part of the specification: an addition to the contract.',
      'x-beside-contract': true,
      security: [],
      parameters: [
        header('webhook-id', 'The same in every attempt.'),
        header('webhook-timestamp', 'Of the attempt; seconds since the epoch.'),
        header('webhook-signature', 'One or more of `v1,<base64>`, with a space between: two while a secret rotates.'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: schemaOf('WebhookBody'), examples: { revoked: { value: BODY } } },
        },
      },
      responses: ANSWERS,
    },
  },
};
