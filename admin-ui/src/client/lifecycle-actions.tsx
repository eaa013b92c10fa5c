import { Text } from '@mantine/core';
import { useState } from 'react';
import { useFreshly } from '../data/fresh.ts';
import { useViewer } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { tell, tellWithUndo } from '../parts/undo.tsx';
import { type ClientData, openReviewOf } from './document.ts';
import { STEPS_FROM, type Step } from './steps.ts';
import { useSteps } from './use-steps.ts';

/** The buttons that move a production client on. Those that this person can't press say why. */
export function LifecycleActions({ client }: { client: ClientData }) {
  const viewer = useViewer();
  const freshly = useFreshly();
  const [step, setStep] = useState<Step>();
  const run = useSteps(client);
  const hindranceOf = ({ right, secondPerson }: Step) => {
    const review = openReviewOf(client);
    const tookPart = secondPerson && review && !review.mayApprove;
    return (
      viewer.hindranceOf(right) ??
      (tookPart ? 'You submitted this client or edited it in review: somebody else must approve it.' : undefined)
    );
  };
  const begin = (next: Step) => {
    if (next.fresh) freshly(() => setStep(next));
    else setStep(next);
  };
  return (
    <>
      {STEPS_FROM[client.status].map((each) => (
        <ActionButton
          key={each.name}
          variant={each.main ? 'filled' : 'default'}
          hindrance={hindranceOf(each)}
          onClick={() => begin(each)}
        >
          {each.label}
        </ActionButton>
      ))}
      {step && (
        <ConfirmDialog
          title={`${step.deed} ${client.name}`}
          deed={step.deed}
          dangerous={step.dangerous}
          reason={step.reason}
          run={async (reason) => {
            await run[step.name](reason);
            const message = `${client.name} ${step.done}.`;
            // nobody has acted on it yet: the one step that can be taken back without a trace in how the service behaves
            if (step.name === 'submit') tellWithUndo(message, () => run.withdraw('Taken back right after submitting.'));
            else tell(message);
          }}
          onClose={() => setStep(undefined)}
        >
          <Text size="sm">{step.says}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
