import { z } from 'zod';

/** A call as it is sent. */
export interface RpcCall {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What came back over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  /** Milliseconds; 0 where the node does not say. */
  readonly retryAfter: number;
  readonly text: string;
}

const Fault = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
export const Reply = z.union([z.object({ error: Fault }), z.object({ result: z.unknown() })]);

/** A node's answer. */
export type RpcReply = { result: unknown } | { error: z.infer<typeof Fault> };
