import type { RpcCall, RpcReply, Rule } from '../../support/rpc-proxy.ts';

/** How many slots behind the others: what they confirm, this node sees when it is final. */
const SLOTS_BEHIND = 32;

/** Two nodes behind one URL, which take turns; one of them lags by some 13 seconds. It shows what is finalized and nothing newer. */
export function oneOfTwoLags(): Rule {
  let turn = 0;
  return (call) => {
    turn += 1;
    return turn % 2 === 0 ? 'pass' : { call: asLagging(call), bend: seenByLagging };
  };
}

/** Such a node holds for `confirmed` what a node in step holds for `finalized`, and refuses a context slot that it has not reached. */
function asLagging({ method, params }: RpcCall): RpcCall {
  const config = params.at(-1);
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return { method, params };
  const older = {
    ...config,
    ...('commitment' in config && { commitment: 'finalized' }),
    ...('preflightCommitment' in config && { preflightCommitment: 'finalized' }),
  };
  return { method, params: [...params.slice(0, -1), older] };
}

interface Statuses {
  context: { slot: number };
  value: ({ confirmationStatus?: string } | null)[];
}

/** `getSignatureStatuses` takes no commitment. */
function seenByLagging(reply: RpcReply): RpcReply {
  const result = reply.result as Statuses | undefined;
  if (!Array.isArray(result?.value) || !result.value.some((status) => status?.confirmationStatus !== undefined)) {
    return reply;
  }
  const value = result.value.map((status) => (status?.confirmationStatus === 'finalized' ? status : null));
  return { ...reply, result: { context: { slot: result.context.slot - SLOTS_BEHIND }, value } };
}
