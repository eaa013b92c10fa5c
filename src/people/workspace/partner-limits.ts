import type { Config } from '../../platform/config/config.ts';
import type { Mode } from '../../platform/mode.ts';

/** The limits that a partner's calls or sign-ins can reach. */
export const LIMIT_NAMES = ['fan_api', 'token_failures', 'codes_of_client', 'codes_of_number'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

export interface PartnerLimit {
  name: LimitName;
  limit: number;
  per: string;
  says: string;
  /** Null where it holds in both. */
  mode: Mode | null;
}

/** The limits that hold for every partner's clients, from the configuration. */
export function partnerLimits({
  fanRateLimit,
  tokenFailureLimit,
  codeLimits,
}: Pick<Config, 'fanRateLimit' | 'tokenFailureLimit' | 'codeLimits'>): PartnerLimit[] {
  return [
    { name: 'fan_api', limit: fanRateLimit, per: 'minute and grant', says: 'Calls of the Fan API.', mode: null },
    {
      name: 'token_failures',
      limit: tokenFailureLimit,
      per: 'minute and address',
      says: 'Refused calls of the token endpoint.',
      mode: null,
    },
    {
      name: 'codes_of_client',
      limit: codeLimits.perClient,
      per: 'hour and client',
      says: 'Codes by SMS that your fans asked for and did not enter.',
      mode: 'production',
    },
    {
      name: 'codes_of_number',
      limit: codeLimits.perPhone,
      per: 'hour and phone number',
      says: 'Codes that one fan gets by SMS.',
      mode: 'production',
    },
  ];
}
