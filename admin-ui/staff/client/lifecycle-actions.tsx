import { useState } from 'react';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import type { ClientData, ClientStep } from './document.ts';
import { mainStepOf, useStepObstacle, wordsOf } from './steps.ts';
import { TakeStepDialog } from './take-step-dialog.tsx';

/** A button for each step that can be taken now. Those that this person can’t take say why. */
export function LifecycleActions({ client }: { client: ClientData }) {
  const obstacleTo = useStepObstacle();
  // the client as it was when the dialog opened: what is decided about must not change under the reader
  const [taking, setTaking] = useState<{ name: ClientStep['name']; client: ClientData }>();
  const main = mainStepOf(client);
  return (
    <>
      {client.steps.map((step) => {
        const words = wordsOf(client, step.name);
        return (
          <ActionButton
            key={step.name}
            variant={step === main ? 'filled' : 'default'}
            disabledReason={obstacleTo(step)}
            fresh={step.right.fresh}
            onClick={() => setTaking({ name: step.name, client })}
          >
            {words.label ?? words.action}
          </ActionButton>
        );
      })}
      {/* not inside its button, which goes when somebody else takes the step */}
      {taking && <TakeStepDialog {...taking} onClose={() => setTaking(undefined)} />}
    </>
  );
}
