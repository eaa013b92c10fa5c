import { HOME_URL } from '../config.ts';

/** An entry of the service's request log, as `/playground/requests.json` gives it. */
export interface LoggedRequest {
  /** `X-Request-Id` of the answer. */
  id: string;
  /** ISO 8601. */
  at: string;
  label: string;
  title: string;
  method: string;
  status: number;
  outcome: string;
  message: string | null;
  fix: string | null;
  duration_ms: number;
}

/** Reads the newest requests of the playground's client. @throws Error where they can not be read */
export async function fetchRequests(signal: AbortSignal): Promise<LoggedRequest[]> {
  const response = await fetch(`${HOME_URL}requests.json`, { signal });
  if (!response.ok) throw new Error(`requests.json: ${response.status}`);
  return ((await response.json()) as { requests: LoggedRequest[] }).requests;
}
