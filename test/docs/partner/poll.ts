/** Acknowledges what you have stored. @returns the next events: each token by its `jti` */
export async function poll(apiUrl: string, endpointToken: string, stored: string[]): Promise<Record<string, string>> {
  const answer = await fetch(`${apiUrl}/notifications/poll`, {
    method: 'POST',
    headers: { authorization: `Bearer ${endpointToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ack: stored, maxEvents: 10 }),
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { sets: Record<string, string> }).sets;
}
