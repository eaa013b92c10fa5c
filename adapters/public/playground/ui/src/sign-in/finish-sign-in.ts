import { errorCodeOf } from '../calls/call.ts';
import { describeError } from '../calls/describe-refusal.ts';
import { CALLBACK_URL, HOME_URL, type PlaygroundConfig } from '../config.ts';
import { metadataOf } from '../partner.ts';
import { change, currentState, noteForced } from '../state.ts';
import type { Step } from '../steps.ts';
import { checkCallback } from './check-callback.ts';
import { exchangeCode, exchangeFieldsOf, exchangeRightly } from './exchange-code.ts';

const EXPLAINED: Readonly<Record<string, string>> = {
  access_denied: 'The fan denied access.',
};

/** Takes the callback's parameters out of the address: a reload must not send the code again. */
export function takeCallback(): boolean {
  if (!location.href.startsWith(`${CALLBACK_URL}?`)) {
    // links to the steps belong to the address with the slash
    history.replaceState(null, '', `${HOME_URL}${location.hash}`);
    return false;
  }
  const parameters = [...new URLSearchParams(location.search)];
  change({ callback: { parameters, at: new Date().toISOString() }, step: 'callback' });
  history.replaceState(null, '', `${HOME_URL}#callback`);
  return true;
}

/**
 * Continues after a callback: exchanges the code if the checks pass, unless the developer wants to do it.
 * @returns what went wrong
 */
export async function finishSignIn(config: PlaygroundConfig): Promise<string | undefined> {
  const { callback, attempt, exchangesItself } = currentState();
  const parameters = callback?.parameters ?? [];
  const query = new URLSearchParams(parameters);
  const error = query.get('error');
  if (error !== null) {
    if (attempt?.spoil !== undefined) noteForced(attempt.spoil, { call: 0, status: null, code: error });
    return `${EXPLAINED[error] ?? 'The authorization server refused the request.'} ${error}: ${query.get('error_description') ?? ''}`;
  }
  const metadata = await metadataOf(config);
  const checks = checkCallback(parameters, {
    attempt,
    issuer: config.auth_url,
    sendsIssuer: metadata.authorization_response_iss_parameter_supported ?? false,
  });
  if (checks.some(({ passed }) => !passed)) return 'A check of the callback failed. The code was not exchanged.';
  if (attempt?.spoil !== undefined) {
    const { answer, id } = await exchangeCode(config, exchangeFieldsOf(query.get('code') ?? '', attempt));
    const code = errorCodeOf(answer) ?? null;
    noteForced(attempt.spoil, { call: id, status: answer.status, code });
    goOn('errors');
    return undefined;
  }
  if (!exchangesItself || attempt === undefined) return undefined;
  try {
    await exchangeRightly(config, query, attempt);
  } catch (failure) {
    return describeError(failure);
  }
  goOn(attempt.thenStep ?? 'tokens');
  return undefined;
}

/** Shows a step; the address names it, so that the browser's back and a reload keep it. */
export function goTo(step: Step): void {
  location.hash = step;
}

/** As `goTo`, but the browser's back does not lead to the step before. */
function goOn(step: Step): void {
  history.replaceState(null, '', `${HOME_URL}#${step}`);
  change({ step });
}
