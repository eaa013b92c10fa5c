import type { State } from '../state.ts';
import { STEPS, type Step } from '../steps.ts';

const LABELS: Readonly<Record<Step, string>> = {
  'sign-in': 'Sign a fan in',
  callback: 'Exchange the code',
  tokens: 'Look at the tokens',
  tickets: 'Read the tickets',
  list: 'List a ticket',
  sell: 'Sell it',
  errors: 'Force errors',
  log: 'Request log',
};

/** The steps that lead to a sold ticket; the others can be taken at any time. */
const PATH = STEPS.slice(0, 6);

/** The way from nothing to a sold ticket. Each step can be opened at any time. */
export function PathNav({ state }: { state: State }) {
  const done = doneSteps(state);
  const next = PATH.find((step) => !done.has(step));
  const link = (step: Step) => (
    <a href={`#${step}`} aria-current={state.step === step ? 'step' : undefined}>
      {LABELS[step]}
      {done.has(step) ? <span class="visually-hidden"> (done)</span> : null}
      {step === next ? <span class="visually-hidden"> (next)</span> : null}
    </a>
  );
  return (
    <nav class="path links" aria-label="Steps">
      <p class="path-title">From nothing to a sold ticket</p>
      <ol>
        {PATH.map((step) => (
          <li key={step} class={[done.has(step) && 'done', step === next && 'next'].filter(Boolean).join(' ')}>
            {link(step)}
          </li>
        ))}
      </ol>
      <p class="path-title">At any time</p>
      <ul>
        <li>{link('errors')}</li>
        <li>{link('log')}</li>
      </ul>
    </nav>
  );
}

/** Which steps have been gone through in this tab. */
function doneSteps({ attempt, fans, sale }: State): Set<Step> {
  const isListed = sale.listed !== undefined || sale.claimed !== undefined;
  const facts: [Step, boolean][] = [
    ['sign-in', attempt !== undefined && fans.length > 0],
    ['callback', fans.length > 0],
    ['tokens', fans.some(({ userinfo }) => userinfo !== undefined)],
    ['tickets', fans.some(({ tickets }) => tickets !== undefined)],
    ['list', isListed],
    ['sell', sale.claimed !== undefined],
  ];
  return new Set(facts.flatMap(([step, isDone]) => (isDone ? [step] : [])));
}

/** The next step of the path, for the end of a step. */
export function NextStep({ state }: { state: State }) {
  const done = doneSteps(state);
  const next = PATH.find((step) => !done.has(step));
  if (next === undefined || next === state.step || !done.has(state.step)) return null;
  return (
    <p class="next-step">
      <a class="button" href={`#${next}`}>
        Next: {LABELS[next]}
      </a>
    </p>
  );
}
