import { ErrorResponse } from 'oidc-client-ts';
import { useEffect, useState } from 'preact/hooks';
import { Alert } from '../../page-kit/parts/alert.tsx';
import { SandboxBanner } from '../../page-kit/parts/sandbox-banner.tsx';
import { fetchConfig, type PlaygroundConfig } from './config.ts';
import { createPartner, type Partner, RefusedError, type Tokens } from './partner.ts';
import { SignedIn } from './signed-in.tsx';
import { TestUsers } from './test-users.tsx';

type State =
  | { name: 'starting' }
  | { name: 'failed' }
  | { name: 'ready'; config: PlaygroundConfig; partner: Partner; tokens: Tokens | undefined };

const homeUrl = new URL('./', document.baseURI).href.replace(/\/$/, '');
const callbackUrl = `${homeUrl}/callback`;
/** The documentation, where it is served; in the same tab, it takes the token over. */
const docsUrl = document.querySelector<HTMLMetaElement>('meta[name=docs]')?.content;

/** Tokens live as long as this tab, so that a reload keeps the sign-in; a real app keeps them on its server. */
const TOKENS_KEY = 'playground.tokens';

function loadTokens(): Tokens | undefined {
  const stored = sessionStorage.getItem(TOKENS_KEY);
  return stored === null ? undefined : (JSON.parse(stored) as Tokens);
}

function storeTokens(tokens: Tokens | undefined): void {
  if (tokens === undefined) sessionStorage.removeItem(TOKENS_KEY);
  else sessionStorage.setItem(TOKENS_KEY, JSON.stringify(tokens));
}

export function App() {
  const [state, setState] = useState<State>({ name: 'starting' });
  const [problem, setProblem] = useState<Problem>();

  /** Loads the configuration, and finishes the sign-in when this is its callback. */
  async function start(): Promise<void> {
    const config = await fetchConfig();
    const partner = createPartner(config, callbackUrl);
    let tokens = loadTokens();
    if (location.href.startsWith(`${callbackUrl}?`)) {
      tokens = undefined;
      try {
        tokens = await partner.finishSignIn(location.href);
      } catch (error) {
        setProblem(describeProblem(error));
      }
      storeTokens(tokens);
      // The code is used: a reload must not send it again.
      history.replaceState(null, '', homeUrl);
    }
    setState({ name: 'ready', config, partner, tokens });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => {
    start().catch((error) => {
      setProblem(describeProblem(error));
      setState({ name: 'failed' });
    });
  }, []);

  /** Runs one step and shows its failure, if any, with the raw answer. */
  async function run(step: () => Promise<void>): Promise<void> {
    setProblem(undefined);
    try {
      await step();
    } catch (error) {
      setProblem(describeProblem(error));
    }
  }

  function setTokens(ready: Extract<State, { name: 'ready' }>, tokens: Tokens | undefined): void {
    storeTokens(tokens);
    setState({ ...ready, tokens });
  }

  return (
    <>
      <header>
        <SandboxBanner
          name="Sandbox"
          detail="Test users only. No text messages are sent, and no real tickets are involved."
        />
      </header>
      <main>
        <div class="intro">
          <h1>Fan API playground</h1>
          <p>
            A partner app on one page. It signs a fan in with a standard OpenID Connect library, then lists the fan’s
            tickets.
          </p>
          {docsUrl === undefined ? null : (
            <a class="link" href={docsUrl}>
              Documentation
            </a>
          )}
        </div>
        <Alert message={problem?.summary} />
        {problem === undefined ? null : <pre class="raw">{problem.raw}</pre>}
        {state.name === 'starting' ? <p role="status">One moment</p> : null}
        {state.name !== 'ready' ? null : state.tokens === undefined ? (
          <TestUsers config={state.config} onSignIn={(scopes) => run(() => state.partner.signIn(scopes))} />
        ) : (
          <SignedIn
            key={state.tokens.accessToken}
            partner={state.partner}
            tokens={state.tokens}
            run={run}
            onTokens={(tokens) => setTokens(state, tokens)}
          />
        )}
      </main>
    </>
  );
}

/** A summary and the service's own words: this page is for debugging. */
type Problem = { summary: string; raw: string };

const OAUTH_SUMMARIES: Record<string, string> = {
  access_denied: 'The fan denied access.',
  invalid_grant: 'The refresh token is no longer valid: it was revoked, used before, or has expired. Sign in again.',
};

/** Describes an error of the library or of the Fan API. */
function describeProblem(error: unknown): Problem {
  if (error instanceof ErrorResponse) {
    const raw = JSON.stringify({ error: error.error, error_description: error.error_description });
    return { summary: OAUTH_SUMMARIES[error.error ?? ''] ?? 'The authorization server refused the request.', raw };
  }
  if (error instanceof RefusedError) {
    if (error.status === 401) return { summary: 'The access token has expired or was revoked.', raw: error.message };
    return { summary: 'The service refused the request.', raw: error.message };
  }
  return { summary: 'This did not work.', raw: error instanceof Error ? error.message : String(error) };
}
