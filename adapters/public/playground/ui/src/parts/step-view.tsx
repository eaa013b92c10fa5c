import { useEffect, useRef } from 'preact/hooks';
import type { PlaygroundConfig } from '../config.ts';
import { ErrorsStep } from '../errors/errors-step.tsx';
import { LogStep } from '../log/log-step.tsx';
import { CallbackStep } from '../sign-in/callback-step.tsx';
import { SignInStep } from '../sign-in/sign-in-step.tsx';
import type { SignedInFan, State } from '../state.ts';
import { TicketsStep } from '../tickets/tickets-step.tsx';
import { TokensStep } from '../tokens/tokens-step.tsx';
import { ListStep } from '../trade/list-step.tsx';
import { SellStep } from '../trade/sell-step.tsx';
import { Sheet } from './facts.tsx';
import { NextStep } from './path-nav.tsx';

type Props = {
  config: PlaygroundConfig;
  state: State;
  fan: SignedInFan | undefined;
  callbackProblem: string | undefined;
};

/** The step that was chosen, and the way on. */
export function StepView(props: Props) {
  const { step } = props.state;
  const view = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    // a step that replaces another begins at its top, also for screen readers
    if (shown.current !== step) {
      view.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    shown.current = step;
  }, [step]);
  return (
    <div class="step" ref={view} tabIndex={-1}>
      <Content {...props} />
      <NextStep state={props.state} />
    </div>
  );
}

function Content({ config, state, fan, callbackProblem }: Props) {
  const { step } = state;
  if (step === 'sign-in') return <SignInStep config={config} state={state} />;
  if (step === 'callback') return <CallbackStep config={config} state={state} problem={callbackProblem} />;
  if (step === 'errors') return <ErrorsStep config={config} state={state} fan={fan} />;
  if (step === 'log') return <LogStep state={state} />;
  if (step === 'sell') return <SellStep config={config} state={state} />;
  if (fan === undefined) {
    return (
      <Sheet title="No fan is signed in">
        <p>
          This step needs the tokens of a fan. <a href="#sign-in">Sign a test user in</a>: it takes a phone number and a
          code from the list there.
        </p>
      </Sheet>
    );
  }
  const key = fan.sub;
  if (step === 'tokens') return <TokensStep key={key} config={config} state={state} fan={fan} />;
  if (step === 'tickets') return <TicketsStep key={key} config={config} state={state} fan={fan} />;
  return <ListStep key={key} config={config} state={state} fan={fan} />;
}
