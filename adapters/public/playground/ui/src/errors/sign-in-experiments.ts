import { CALLBACK_URL } from '../config.ts';
import { beginChangedSignIn } from '../sign-in/begin-sign-in.ts';
import type { SignInExperiment } from './experiment.ts';

/** Mistakes in the authorize request and in the exchange of its code. */
export const SIGN_IN_EXPERIMENTS: readonly SignInExperiment[] = [
  {
    id: 'unregistered_redirect_uri',
    title: 'A redirect_uri that is not registered',
    detail:
      'The service shows a page of its own, because it must not send anybody to an unknown address. Come back with the browser’s back button.',
    expects: { status: null, code: 'a page' },
    begin: (config) =>
      beginChangedSignIn(config, { redirect_uri: `${CALLBACK_URL}/other` }, { spoil: 'unregistered_redirect_uri' }),
  },
  {
    id: 'unknown_scope',
    title: 'A scope that the client may not ask for',
    detail: 'The callback gets an error instead of a code.',
    expects: { status: null, code: 'invalid_scope' },
    begin: (config) => beginChangedSignIn(config, { scope: 'openid fan:everything' }, { spoil: 'unknown_scope' }),
  },
  {
    id: 'plain_challenge',
    title: 'PKCE with plain instead of S256',
    detail: 'The callback gets an error instead of a code.',
    expects: { status: null, code: 'invalid_request' },
    begin: (config) => beginChangedSignIn(config, { code_challenge_method: 'plain' }, { spoil: 'plain_challenge' }),
  },
  {
    id: 'prompt_none',
    title: 'prompt=none',
    detail: 'Every authorization signs the fan in, so it can’t be done without showing a page.',
    expects: { status: null, code: 'login_required' },
    begin: (config) => beginChangedSignIn(config, { prompt: 'none' }, { spoil: 'prompt_none' }),
  },
  {
    id: 'wrong_verifier',
    title: 'A wrong code_verifier',
    detail: 'Signs in, then exchanges the code with the verifier of another sign-in.',
    expects: { status: 400, code: 'invalid_request' },
    begin: (config) => beginChangedSignIn(config, {}, { spoil: 'wrong_verifier' }),
  },
  {
    id: 'wrong_redirect_uri',
    title: 'Another redirect_uri at the exchange',
    detail: 'Signs in, then exchanges the code with a redirect_uri that the authorize request did not have.',
    expects: { status: 400, code: 'invalid_request' },
    begin: (config) => beginChangedSignIn(config, {}, { spoil: 'wrong_redirect_uri' }),
  },
  {
    id: 'exchange_wrong_client',
    title: 'Another client at the exchange',
    detail: 'Signs in, then exchanges the code with a client_id that does not exist.',
    expects: { status: 400, code: 'invalid_request' },
    begin: (config) => beginChangedSignIn(config, {}, { spoil: 'exchange_wrong_client' }),
  },
];
