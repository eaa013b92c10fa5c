/** Which requests a figure counts, as filters of the list of requests. */
export interface RequestsBehind {
  operation?: string;
  outcome?: string;
  status?: string;
  client?: string;
  mode?: string;
  /** Whole minutes. */
  from?: string;
  to?: string;
}

/** The list of the requests behind a figure. */
export function requestsHref({ from, to, ...filters }: RequestsBehind): string {
  const query = new URLSearchParams();
  const moments = { from: from?.slice(0, 16), to: to?.slice(0, 16) };
  for (const [name, value] of Object.entries({ ...filters, ...moments })) if (value) query.set(name, value);
  return `/requests?${query}`;
}
