import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { isEnding, readFailure } from '../../../../adapters/fan-pages/page-kit/failure.ts';

const refused = (data: object) =>
  TRPCClientError.from({ error: { code: -32600, message: 'refused', data } } as Parameters<
    typeof TRPCClientError.from
  >[0]);

test('a refusal is read with its reason and its waiting time', () => {
  expect(readFailure(refused({ reason: 'resend_too_soon', retryAfter: 12 }))).toEqual({
    reason: 'resend_too_soon',
    retryAfter: 12,
  });
});

test('a reason that this page does not know is shown as a failure of the service', () => {
  expect(readFailure(refused({ reason: 'brand_new' })).reason).toBe('internal');
});

test('no answer at all is distinguished from a refusal', () => {
  expect(readFailure(new TypeError('Failed to fetch')).reason).toBe('unreachable');
  expect(readFailure(TRPCClientError.from(new TypeError('Failed to fetch'))).reason).toBe('unreachable');
});

test('a sign-in that is over is distinguished from a step that can be repeated', () => {
  expect(isEnding('too_many_tries')).toBe(true);
  expect(isEnding('wrong_code')).toBe(false);
});
