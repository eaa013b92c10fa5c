import { expect } from 'vitest';

/** A refusal of the domain, for `rejects.toEqual`. @param text a part of its message */
export function refused(code: string, text = ''): unknown {
  return expect.objectContaining({ code, message: expect.stringContaining(text) });
}

/** A refusal of the token endpoint, for `toMatchObject`. @param error_description whole, or a matcher */
export function refusedBy(error: string, error_description?: unknown) {
  return { status: 400, error, ...(error_description !== undefined && { error_description }) };
}
