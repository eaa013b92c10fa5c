import { useEffect, useState } from 'preact/hooks';
import { Alert } from '../../../../../fan-pages/page-kit/parts/alert.tsx';
import { describeRefusal } from '../calls/describe-refusal.ts';
import type { PlaygroundConfig } from '../config.ts';
import { type Metadata, metadataOf } from '../partner.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { CheckList, Facts, Sheet } from '../parts/facts.tsx';
import type { State } from '../state.ts';
import type { CallbackParameters } from './attempt.ts';
import { checkCallback } from './check-callback.ts';
import {
  type ExchangeFields,
  exchangeCode,
  exchangeFieldsOf,
  exchangeRightly,
  isAsItShouldBe,
} from './exchange-code.ts';

type Props = { config: PlaygroundConfig; state: State; problem: string | undefined };

/** The callback: what came back, how it is checked, and the exchange of the code. */
export function CallbackStep({ config, state, problem }: Props) {
  const { callback } = state;
  if (callback === undefined) {
    return (
      <Sheet title="The callback">
        <Alert message={problem} />
        <p>
          Nobody has come back yet. <a href="#sign-in">Begin a sign-in</a>: its callback and the exchange of the code
          are shown here.
        </p>
      </Sheet>
    );
  }
  return (
    <>
      <Facts title="The callback" values={callback.parameters} />
      <Sheet title="Checks before the exchange">
        <Checks config={config} state={state} callback={callback} />
        <Alert message={problem} />
      </Sheet>
      <ExchangeForm key={callback.at} config={config} state={state} callback={callback} />
    </>
  );
}

type PartProps = { config: PlaygroundConfig; state: State; callback: CallbackParameters };

function Checks({ config, state, callback }: PartProps) {
  const [metadata, setMetadata] = useState<Metadata>();
  useEffect(() => {
    metadataOf(config).then(setMetadata, () => undefined);
  }, [config]);
  const checks = checkCallback(callback.parameters, {
    attempt: state.attempt,
    issuer: config.auth_url,
    sendsIssuer: metadata?.authorization_response_iss_parameter_supported ?? false,
  });
  return <CheckList label="Checks of the callback" checks={checks} />;
}

const FIELDS: Readonly<Record<keyof ExchangeFields, string>> = {
  code: 'From the callback. Valid for 60 seconds and one attempt, even a wrong one.',
  redirect_uri: 'The redirect_uri of the authorize request, again.',
  client_id: 'The client_id of the authorize request, again.',
  code_verifier: 'The secret whose hash was the code_challenge.',
};

/** The token request, whose fields may be changed before it is sent, and sent again. */
function ExchangeForm({ config, state, callback }: PartProps) {
  const action = useAction();
  const { attempt } = state;
  const query = new URLSearchParams(callback.parameters);
  const code = query.get('code') ?? '';
  const [fields, setFields] = useState<ExchangeFields>(() => exchangeFieldsOf(code, attempt));
  const send = async () => {
    // a changed request, or a code that must not be exchanged, is sent by hand
    if (query.get('state') === attempt?.state && fields.code === code && isAsItShouldBe(fields, attempt)) {
      await exchangeRightly(config, query, attempt);
      return undefined;
    }
    return describeRefusal(await exchangeCode(config, fields));
  };
  return (
    <Sheet title="Exchange the code">
      <p>
        The token request sends the code with the verifier. Change a field to see the refusal; each code works once, and
        sending a used one again ends the tokens that it issued.
      </p>
      <div class="pieces">
        {(Object.keys(FIELDS) as (keyof ExchangeFields)[]).map((name) => (
          <div class="piece" key={name}>
            <label class="piece-name" for={`exchange-${name}`}>
              <code>{name}</code>
            </label>
            <div class="piece-value">
              <input
                type="text"
                id={`exchange-${name}`}
                aria-describedby={`exchange-meaning-${name}`}
                autocomplete="off"
                spellcheck={false}
                value={fields[name]}
                onInput={({ currentTarget }) => setFields({ ...fields, [name]: currentTarget.value })}
              />
            </div>
            <p id={`exchange-meaning-${name}`} class="hint">
              {FIELDS[name]}
            </p>
          </div>
        ))}
      </div>
      <Alert message={action.problem} />
      <div class="controls">
        <ActionButton action={action} name="Exchange the code" primary work={send}>
          Send the token request
        </ActionButton>
      </div>
    </Sheet>
  );
}
