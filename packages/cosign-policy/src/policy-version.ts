/**
 * The version of the rules, their limits and their words, recorded with every signature and published with the policy. Change it with
 * every change of a rule: a test compares it with what the rules say and do (`policy-version.test.ts`).
 */
export const POLICY_VERSION = '7';
