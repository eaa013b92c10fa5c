import { TRPCClientError } from '@trpc/client';

/** Whether a call was refused because the access that it was about is over. */
export function isGone(error: unknown): boolean {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
  return typeof data === 'object' && data !== null && 'reason' in data && data.reason === 'not_found';
}
