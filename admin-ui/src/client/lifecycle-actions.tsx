import { useState } from 'react';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { notify, notifyWithUndo } from '../parts/undo.tsx';
import type { ClientData, ClientStep } from './document.ts';
import { STEP_WORDS, useStepObstacle } from './steps.ts';
import { useTakeStep } from './use-take-step.ts';

/** A button for each step from the client's status. Those that this person may not take say why. */
export function LifecycleActions({ client }: { client: ClientData }) {
  const obstacleTo = useStepObstacle();
  const [name, setName] = useState<ClientStep['name']>();
  const takeStep = useTakeStep(client);
  const words = name && STEP_WORDS[name];
  return (
    <>
      {client.steps.map((step) => (
        <ActionButton
          key={step.name}
          variant={STEP_WORDS[step.name].look === 'main' ? 'filled' : 'default'}
          disabledReason={obstacleTo(step)}
          fresh={step.right.fresh}
          onClick={() => setName(step.name)}
        >
          {STEP_WORDS[step.name].label ?? STEP_WORDS[step.name].action}
        </ActionButton>
      ))}
      {/* not inside its button, which goes when somebody else takes the step */}
      {name && words && (
        <ConfirmDialog
          title={`${words.action} ${client.name}`}
          confirmLabel={words.action}
          dangerous={words.look === 'dangerous'}
          reason={words.reason}
          run={async (reason) => {
            await takeStep(name, reason);
            const message = `${client.name} ${words.done}.`;
            // the one step that can be undone with no effect on the service: nobody has acted on it yet
            if (name === 'SUBMIT')
              notifyWithUndo(message, () => takeStep('WITHDRAW', 'Undone right after submitting.'));
            else notify(message);
          }}
          onClose={() => setName(undefined)}
        >
          {words.description}
        </ConfirmDialog>
      )}
    </>
  );
}
