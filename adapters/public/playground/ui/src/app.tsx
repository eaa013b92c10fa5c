import { useEffect, useState } from 'preact/hooks';
import { Alert } from '../../../../fan-pages/page-kit/parts/alert.tsx';
import { SandboxBanner } from '../../../../fan-pages/page-kit/parts/sandbox-banner.tsx';
import { CallList } from './calls/call-list.tsx';
import { CALLBACK_URL, fetchConfig, type PlaygroundConfig } from './config.ts';
import { PathNav } from './parts/path-nav.tsx';
import { StepView } from './parts/step-view.tsx';
import { finishSignIn, takeCallback } from './sign-in/finish-sign-in.ts';
import { withNewSecrets } from './sign-in/make-secrets.ts';
import { activeFan, change, currentState, startOver, subscribe } from './state.ts';
import { STEPS, type Step } from './steps.ts';

export function App() {
  const [, draw] = useState(0);
  const [config, setConfig] = useState<PlaygroundConfig>();
  const [failure, setFailure] = useState<string>();
  const [callbackProblem, setCallbackProblem] = useState<string>();
  const state = currentState();

  useEffect(() => subscribe(() => draw((count) => count + 1)), []);

  useEffect(() => {
    const showStep = () => change({ step: stepInAddress() ?? currentState().step });
    window.addEventListener('hashchange', showStep);
    return () => window.removeEventListener('hashchange', showStep);
  }, []);

  useEffect(() => {
    async function start(): Promise<void> {
      const isCallback = takeCallback();
      if (!isCallback) change({ step: stepInAddress() ?? currentState().step });
      const found = await fetchConfig();
      await prepare(found);
      setConfig(found);
      if (isCallback) setCallbackProblem(await finishSignIn(found));
    }
    start().catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)));
  }, []);

  async function clear(): Promise<void> {
    startOver();
    setCallbackProblem(undefined);
    if (config !== undefined) await prepare(config);
    location.hash = 'sign-in';
  }

  const fan = activeFan();
  return (
    <>
      <header>
        <SkipToStep />
        <SandboxBanner
          name="Sandbox"
          detail="Test users only. No text messages are sent, and no real tickets are involved."
        />
        <div class="top">
          <div class="intro">
            <h1>Fan API playground</h1>
            <p>A partner app on one page, from the authorize request to a sold ticket. Every call is shown.</p>
            {config?.docs_url === undefined ? null : (
              <p>
                <a href={config.docs_url}>Documentation</a>
              </p>
            )}
          </div>
          <div class="session">
            {state.fans.length === 0 ? null : (
              <div class="small-field">
                <label for="fan">Signed in</label>
                <select
                  id="fan"
                  value={fan?.sub}
                  onChange={({ currentTarget }) => change({ active: currentTarget.value })}
                >
                  {state.fans.map(({ sub, phone }) => (
                    <option key={sub} value={sub}>
                      {phone ?? sub}
                    </option>
                  ))}
                </select>
              </div>
            )}
            <button type="button" class="small button" onClick={() => void clear()}>
              Clear and start over
            </button>
          </div>
        </div>
      </header>
      <div class="columns">
        <PathNav state={state} />
        <main>
          <Alert message={failure} />
          {config === undefined && failure === undefined ? <p role="status">One moment</p> : null}
          {config === undefined ? null : (
            <StepView config={config} state={state} fan={fan} callbackProblem={callbackProblem} />
          )}
        </main>
        <CallList calls={state.calls} />
      </div>
    </>
  );
}

/** Skips the banner and the steps. A button, because the hash names the step and can't name the place as well. */
function SkipToStep() {
  return (
    <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('.step')?.focus()}>
      Skip to the step
    </button>
  );
}

function stepInAddress(): Step | undefined {
  return STEPS.find((step) => location.hash === `#${step}`);
}

/** Fills in the client's registered values and new secrets, unless this tab already has them. */
async function prepare(config: PlaygroundConfig): Promise<void> {
  const { pieces } = currentState();
  if (pieces.verifier !== '') return;
  const { parameters } = pieces;
  const registered = {
    ...pieces,
    parameters: {
      ...parameters,
      client_id: { sent: true, value: config.client_id },
      redirect_uri: { sent: true, value: CALLBACK_URL },
    },
  };
  change({ pieces: await withNewSecrets(registered) });
}
