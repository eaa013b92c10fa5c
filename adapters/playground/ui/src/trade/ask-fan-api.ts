import { jsonOf } from '../calls/call.ts';
import { type AnsweredCall, bearerRequest, send } from '../calls/send.ts';
import type { PlaygroundConfig } from '../config.ts';
import { accessTokenFor } from '../tokens/refresh-tokens.ts';
import type { Explanation, TradeKind } from './sale.ts';

const TITLES: Readonly<Record<TradeKind, string>> = {
  list: 'Have the listing signed',
  cancel: 'Have the cancellation signed',
  claim: 'Claim the ticket',
};

/**
 * `POST /authorizations`, or `POST /claims/execute` for a claim.
 * @param sub the fan whose token it takes: the holder, or for a claim the buyer
 * @param explain asks what each rule of the policy says; nothing is signed then
 */
export async function askFanApi(
  config: PlaygroundConfig,
  { kind, sub, hex, explain = false }: { kind: TradeKind; sub: string; hex: string; explain?: boolean },
): Promise<AnsweredCall> {
  const path = kind === 'claim' ? '/claims/execute' : '/authorizations';
  const body = kind === 'claim' ? { tickets: [{ tx: hex }] } : { type: kind, transactions: [hex] };
  const request = bearerRequest('POST', `${config.api_url}${path}`, await accessTokenFor(config, sub), body);
  if (explain) request.headers.Prefer = 'explain';
  return send(explain ? 'Explain' : TITLES[kind], request);
}

/** The explanation in an answer; undefined where the service did not explain. */
export function explanationIn({ answer }: AnsweredCall): Explanation | undefined {
  const body = jsonOf(answer);
  const applied = /\bexplain\b/.test(answer.headers['preference-applied'] ?? '');
  return answer.status === 200 && applied && Array.isArray(body?.transactions)
    ? (body as unknown as Explanation)
    : undefined;
}
