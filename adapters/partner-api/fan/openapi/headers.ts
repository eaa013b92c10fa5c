/** Header fields of answers, as the description names them. `required` where every answer that lists it has it. */
export const HEADERS = {
  'X-Request-Id': {
    required: true,
    description: 'Identifies the request in logs; name it when you ask for help.',
    schema: { type: 'string', format: 'uuid' },
    example: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  },
  'Cache-Control': {
    required: true,
    description: 'Whether the answer may be kept (RFC 9111).',
    schema: { type: 'string', pattern: '^(?:no-store|public, max-age=[0-9]+)$' },
    example: 'no-store',
  },
  'WWW-Authenticate': {
    required: true,
    description: 'RFC 6750 §3, and RFC 6749 §5.2 at the token endpoint.',
    schema: { type: 'string', pattern: '^(?:Bearer|Basic)' },
    example: 'Bearer error="invalid_token", error_description="The access token has expired."',
  },
  'Retry-After': {
    description: 'Seconds to wait. Without it, waiting does not help.',
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'RateLimit-Limit': {
    required: true,
    description: 'Calls per minute.',
    schema: { type: 'integer', minimum: 1 },
    example: 6000,
  },
  'RateLimit-Remaining': {
    required: true,
    description: 'Calls left in this minute.',
    schema: { type: 'integer', minimum: 0 },
    example: 5999,
  },
  'RateLimit-Reset': {
    required: true,
    description: 'Seconds until all calls are there again.',
    schema: { type: 'integer', minimum: 0, maximum: 60 },
    example: 60,
  },
  'Preference-Applied': {
    description: '`explain`, where the request was explained and nothing was executed (RFC 7240).',
    schema: { type: 'string', const: 'explain' },
    example: 'explain',
  },
  Link: {
    description: 'rel="next": the next page, where there is one (RFC 8288).',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="' },
    example: '<http://localhost:3000/fan/tickets?limit=50&cursor=MTc5>; rel="next"',
  },
  Location: {
    required: true,
    description: 'Where the browser goes next.',
    schema: { type: 'string', format: 'uri' },
    example: 'http://localhost:4000/callback?code=ac_dGhlIGNvZGU&state=af0ifjsldkj',
  },
} as const;

export type HeaderName = keyof typeof HEADERS;

export const RATE_LIMIT: readonly HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
