import { addCall, replaceCall } from '../state.ts';
import { type Call, type CallAnswer, type CallRequest, sendCall } from './call.ts';

/** A call whose answer came, of any status. */
export type AnsweredCall = Call & { answer: CallAnswer };

/** Sends a request, and shows it with its answer. @throws Error where no answer came */
export async function send(title: string, request: CallRequest): Promise<AnsweredCall> {
  const call = addCall({ title, request, at: new Date().toISOString() });
  const result = await sendCall(request);
  const done = { ...call, ...result };
  replaceCall(done);
  const { answer } = done;
  if (answer === undefined) throw new Error(`${request.method} ${request.url} got no answer: ${done.failure ?? ''}`);
  return { ...done, answer };
}

/** A form, as the token endpoint expects it. */
export function formRequest(url: string, fields: Record<string, string>): CallRequest {
  return {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

/** A call with an access token. @param body sent as JSON */
export function bearerRequest(method: string, url: string, token: string | undefined, body?: object): CallRequest {
  return {
    method,
    url,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
}

const REPEATED_MS = 2_000;
let lastPoll: { title: string; call: Call; at: number } | undefined;

/** `fetch` for the library that calls the test network. For a method that is called repeatedly, only the newest call is shown. */
export const sendToNetwork: typeof fetch = async (input, init) => {
  const request: CallRequest = {
    method: init?.method ?? 'POST',
    url: String(input),
    headers: { 'Content-Type': 'application/json' },
    body: typeof init?.body === 'string' ? init.body : undefined,
  };
  const title = `Test network: ${rpcMethodOf(request.body)}`;
  const at = new Date();
  const repeats = lastPoll?.title === title && at.getTime() - lastPoll.at < REPEATED_MS;
  const fields = { title, request, at: at.toISOString() };
  const call = repeats && lastPoll ? { ...fields, id: lastPoll.call.id } : addCall(fields);
  const result = await sendCall(request);
  replaceCall({ ...call, ...result });
  lastPoll = { title, call, at: Date.now() };
  if (result.answer === undefined) {
    throw new Error(`The test network at ${request.url} can not be reached: ${result.failure ?? ''}`);
  }
  const { status, body, headers } = result.answer;
  return new Response(body, { status, headers: { 'content-type': headers['content-type'] ?? 'application/json' } });
};

function rpcMethodOf(body: string | undefined): string {
  try {
    return String((JSON.parse(body ?? '') as { method?: unknown }).method);
  } catch {
    return 'call';
  }
}
