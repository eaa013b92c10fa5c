import { useRef, useState } from 'preact/hooks';
import { Alert } from '../../../../../fan-pages/page-kit/parts/alert.tsx';
import { errorCodeOf, helpLinkOf } from '../calls/call.ts';
import { describeError } from '../calls/describe-refusal.ts';
import type { PlaygroundConfig } from '../config.ts';
import { Sheet } from '../parts/facts.tsx';
import { noteForced, type SignedInFan, type State } from '../state.ts';
import { type CallExperiment, isSignInExperiment, type SignInExperiment } from './experiment.ts';
import { FAN_API_EXPERIMENTS } from './fan-api-experiments.ts';
import { SIGN_IN_EXPERIMENTS } from './sign-in-experiments.ts';
import { TOKEN_EXPERIMENTS } from './token-experiments.ts';

const GROUPS: readonly { title: string; experiments: readonly (CallExperiment | SignInExperiment)[] }[] = [
  { title: 'Authorize request and exchange', experiments: SIGN_IN_EXPERIMENTS },
  { title: 'Tokens', experiments: TOKEN_EXPERIMENTS },
  { title: 'Fan API and transactions', experiments: FAN_API_EXPERIMENTS },
];

type Props = { config: PlaygroundConfig; state: State; fan: SignedInFan | undefined };

/** Mistakes made on purpose: real requests, and the service's own refusals. */
export function ErrorsStep({ config, state, fan }: Props) {
  const [busy, setBusy] = useState<string>();
  const [progress, setProgress] = useState('');
  const [problem, setProblem] = useState<{ id: string; message: string }>();
  const stop = useRef<AbortController>(undefined);

  async function run(experiment: CallExperiment | SignInExperiment): Promise<void> {
    if (busy !== undefined) return;
    setBusy(experiment.id);
    setProblem(undefined);
    const abort = new AbortController();
    stop.current = abort;
    try {
      if (isSignInExperiment(experiment)) await experiment.begin(config);
      else {
        const sub = fan?.sub;
        if (sub === undefined) throw new Error('Sign a fan in first.');
        const call = await experiment.run({ config, sub, progress: setProgress, signal: abort.signal });
        noteForced(experiment.id, {
          call: call.id,
          status: call.answer.status,
          code: errorCodeOf(call.answer) ?? null,
        });
      }
    } catch (error) {
      setProblem({ id: experiment.id, message: describeError(error) });
    } finally {
      setBusy(undefined);
      setProgress('');
    }
  }

  return (
    <>
      {GROUPS.map(({ title, experiments }) => (
        <Sheet key={title} title={title}>
          <ul class="experiments">
            {experiments.map((experiment) => (
              <li key={experiment.id}>
                <div class="experiment-text">
                  <h3>{experiment.title}</h3>
                  <p>{experiment.detail}</p>
                  {experiment.warning === undefined ? null : <p class="warning">{experiment.warning}</p>}
                  <Outcome experiment={experiment} state={state} />
                  {problem?.id === experiment.id ? <Alert message={problem.message} /> : null}
                  {busy === experiment.id && progress !== '' ? <p role="status">{progress}</p> : null}
                </div>
                <div class="controls">
                  <button
                    type="button"
                    class="small button"
                    aria-label={`Force it: ${experiment.title}`}
                    aria-disabled={busy !== undefined}
                    onClick={() => void run(experiment)}
                  >
                    {busy === experiment.id ? <span class="spinner" aria-hidden="true" /> : null}
                    Force it
                  </button>
                  {busy === experiment.id && progress !== '' ? (
                    <button type="button" class="small button" onClick={() => stop.current?.abort()}>
                      Stop
                    </button>
                  ) : null}
                </div>
              </li>
            ))}
          </ul>
        </Sheet>
      ))}
    </>
  );
}

/** What is expected, and what came. */
function Outcome({ experiment, state }: { experiment: CallExperiment | SignInExperiment; state: State }) {
  const { expects, id } = experiment;
  const outcome = state.forced[id];
  const wanted = [expects.status, expects.code].filter((part) => part !== null).join(' ');
  if (outcome === undefined) {
    return (
      <p class="hint">
        Expected: <code>{wanted}</code>
      </p>
    );
  }
  const got = [outcome.status, outcome.code].filter((part) => part !== null).join(' ');
  const call = state.calls.find((candidate) => candidate.id === outcome.call);
  const help = call?.answer && helpLinkOf(call.answer, call.request.url);
  return (
    <p class={got === wanted ? 'outcome good' : 'outcome bad'} role="status">
      {got === wanted ? 'As expected: ' : `Expected ${wanted}, got `}
      <code>{got}</code>
      {help === undefined ? null : (
        <>
          {' '}
          <a href={help} target="_blank" rel="noreferrer">
            Cause and fix
          </a>
        </>
      )}
    </p>
  );
}
