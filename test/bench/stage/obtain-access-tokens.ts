import type { ServiceContext } from '../../../src/runtime.ts';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { type IssuedCode, issueCodes } from './issue-codes.ts';

/** Access tokens of a test user, by real exchanges. */
export async function obtainAccessTokens(context: ServiceContext, kit: StarterKit, count: number): Promise<string[]> {
  return exchangeAll(context, await issueCodes(context, kit, count));
}

/** The access tokens of codes. */
export async function exchangeAll(
  { config }: Pick<ServiceContext, 'config'>,
  codes: readonly IssuedCode[],
): Promise<string[]> {
  const tokens: string[] = [];
  for (const { form } of codes) {
    const answer = await fetch(`${config.authUrl}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
    const body = (await answer.json()) as { access_token?: string };
    if (body.access_token === undefined) throw new Error(`no token: ${answer.status} ${JSON.stringify(body)}`);
    tokens.push(body.access_token);
  }
  return tokens;
}
