/** The parameters of the authorize request, as the playground offers them. */
export const PIECES = {
  response_type: 'Always code: the fan comes back with a code, never with tokens.',
  client_id: 'Which app asks. It is public; there is no client secret.',
  redirect_uri: 'Where the fan comes back to. It must be registered for the client, character for character.',
  scope: 'What you ask for, with spaces between. The fan may allow less: see granted_actions in the token response.',
  state: 'A value of yours that comes back unchanged. Compare it, so that nobody can hand you a callback of their own.',
  nonce: 'A value of yours that ends up in the ID token, and binds it to this sign-in.',
  code_challenge:
    'SHA-256 of the code_verifier, in base64url (PKCE). Only who knows the verifier can exchange the code.',
  code_challenge_method: 'Must be S256. plain is refused.',
  prompt: 'How the fan is asked. Everybody signs in each time here, so none answers login_required.',
  ui_locales: 'Languages of the sign-in pages, best first. Without it the browser’s languages count.',
  login_hint: 'The fan’s number, where you know it: the page has it filled in.',
  mode: 'sandbox or production. The client’s registration decides; this is a hint.',
  response_mode: 'How the callback gets its parameters. Only query.',
} as const;

export type PieceName = keyof typeof PIECES;

/** What a select offers beside the value that is set. */
export const CHOICES: Partial<Record<PieceName, readonly string[]>> = {
  response_type: ['code', 'token'],
  code_challenge_method: ['S256', 'plain'],
  prompt: ['login', 'consent', 'select_account', 'none'],
  ui_locales: ['en', 'es', 'fr', 'de', 'pt', 'ja', 'fr-CA de'],
  mode: ['sandbox', 'production', 'test'],
  response_mode: ['query', 'form_post'],
};

export interface Piece {
  /** Whether the parameter is sent. */
  sent: boolean;
  value: string;
}

export interface Pieces {
  parameters: Record<PieceName, Piece>;
  /** Stays here until the code is exchanged. */
  verifier: string;
}

/** The usual scopes of a partner that lists tickets. @see spec §5.13 */
export const USUAL_SCOPES = ['openid', 'profile', 'offline_access', 'fan:tickets:read', 'fan:listings:write'];
/** The further scope that buying a ticket needs. */
export const CLAIM_SCOPE = 'fan:claims:write';

/** Before the configuration is known: `client_id`, `redirect_uri` and the secrets are still empty. */
export function startingPieces(): Pieces {
  const sent = (value: string): Piece => ({ sent: true, value });
  const unsent = (value: string): Piece => ({ sent: false, value });
  return {
    verifier: '',
    parameters: {
      response_type: sent('code'),
      client_id: sent(''),
      redirect_uri: sent(''),
      scope: sent(USUAL_SCOPES.join(' ')),
      state: sent(''),
      nonce: sent(''),
      code_challenge: sent(''),
      code_challenge_method: sent('S256'),
      prompt: unsent('login'),
      ui_locales: unsent('en'),
      login_hint: unsent(''),
      mode: unsent('sandbox'),
      response_mode: unsent('query'),
    },
  };
}

/** The pieces with some parameters changed; an empty value of an optional one is not sent. */
export function withValues(pieces: Pieces, values: Partial<Record<PieceName, string | undefined>>): Pieces {
  const parameters = { ...pieces.parameters };
  for (const [name, value] of Object.entries(values) as [PieceName, string | undefined][]) {
    parameters[name] = value === undefined ? { ...parameters[name], sent: false } : { sent: true, value };
  }
  return { ...pieces, parameters };
}

/** The parameters that are sent, in order. */
export function sentParameters({ parameters }: Pieces): [PieceName, string][] {
  return (Object.keys(PIECES) as PieceName[]).flatMap((name) =>
    parameters[name].sent ? [[name, parameters[name].value] as [PieceName, string]] : [],
  );
}

/**
 * The authorize request. Values are encoded, and nothing is checked: a wrong request must be possible.
 * @param endpoint `authorization_endpoint`
 */
export function authorizeUrl(endpoint: string, pieces: Pieces): string {
  const query = new URLSearchParams(sentParameters(pieces)).toString().replaceAll('+', '%20');
  return query === '' ? endpoint : `${endpoint}?${query}`;
}

/** Adds a scope to the list, or removes it. */
export function toggleScope(scope: string, name: string): string {
  const scopes = scope.split(' ').filter((other) => other !== '');
  return (scopes.includes(name) ? scopes.filter((other) => other !== name) : [...scopes, name]).join(' ');
}
