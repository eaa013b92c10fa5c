import type { Context } from 'koa';
import { OAuthError } from '../../../src/platform/oauth-error.ts';
import { readBody } from '../../http/read-body.ts';

export const FORM = 'application/x-www-form-urlencoded';

/** A malformed verifier has its own answer (spec §7), also with a NUL: it reaches no text column. */
const MAY_HOLD_NUL: ReadonlySet<string> = new Set(['code_verifier']);

/** A form of the token or revocation endpoint: each parameter at most once, empty ones like absent ones. */
export interface Form {
  /** @throws OAuthError `invalid_request` where the value has a NUL */
  get(name: string): string | undefined;
  /** @throws OAuthError `invalid_request` naming the parameter */
  require(name: string): string;
}

/**
 * Reads the form of a public client.
 * @throws OAuthError `invalid_request` where it is not a form or repeats a parameter; `invalid_client` (401) where the client
 * authenticates, after which some libraries send the same code again without
 * @see RFC 6749 §3.2, spec §5.1
 */
export async function readForm(ctx: Context): Promise<Form> {
  if (ctx.get('Authorization') !== '') throw clientAuthentication();
  const parameters = new URLSearchParams(await readFormText(ctx));
  // empty, it counts as absent (RFC 6749 §3.2)
  if (parameters.get('client_secret')) throw clientAuthentication();
  for (const name of new Set(parameters.keys())) {
    if (parameters.getAll(name).length > 1) {
      throw new OAuthError('invalid_request', `${name.slice(0, 80)} must not be given more than once`);
    }
  }
  function get(name: string): string | undefined {
    const value = parameters.get(name) || undefined;
    // PostgreSQL's text can't hold a NUL
    if (value?.includes('\0') && !MAY_HOLD_NUL.has(name))
      throw new OAuthError('invalid_request', `${name} must have no NUL`);
    return value;
  }
  return {
    get,
    require(name) {
      const value = get(name);
      if (value === undefined) throw new OAuthError('invalid_request', `${name} is required`);
      return value;
    },
  };
}

async function readFormText(ctx: Context): Promise<string> {
  // RFC 6749 §5.2: 400 for every malformed request, not 415
  if (!ctx.is(FORM)) throw new OAuthError('invalid_request', `Content-Type must be ${FORM}.`);
  return readBody(ctx, FORM);
}

function clientAuthentication(): OAuthError {
  return new OAuthError(
    'invalid_client',
    'clients are public: send client_id in the form, no secret and no Authorization header',
  );
}
