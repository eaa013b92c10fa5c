import { useViewer } from '../data/viewer.ts';
import type { ClientStep } from './document.ts';

/** Texts of a step in the life cycle of a production client. */
interface StepWords {
  /** On the button that takes it. */
  action: string;
  /** On the button that opens the dialog; `action` by default. */
  label?: string;
  /** What it changes, shown before it is taken. */
  description: string;
  /** "The client …" */
  done: string;
  reason: { label: string; description?: string };
  look: 'main' | 'other' | 'dangerous';
}

const REASON = { label: 'Reason' };

export const STEP_WORDS: Record<ClientStep['name'], StepWords> = {
  SUBMIT: {
    action: 'Submit',
    label: 'Submit for review',
    description: 'The redirect URIs and scopes go to review as they are. You can’t approve them yourself.',
    done: 'is in review',
    reason: { label: 'Note for the reviewers', description: 'What the client is for, and who asked for it.' },
    look: 'main',
  },
  WITHDRAW: {
    action: 'Withdraw',
    description: 'The client leaves the review queue and is a draft again.',
    done: 'is a draft again',
    reason: REASON,
    look: 'other',
  },
  REJECT: {
    action: 'Reject',
    description: 'The client can be changed and submitted again.',
    done: 'is rejected',
    reason: { ...REASON, description: 'What has to change, in words that can be passed on to the partner.' },
    look: 'dangerous',
  },
  APPROVE: {
    action: 'Approve',
    description: 'The registration is frozen as you see it. Nobody can use the client until it is enabled as well.',
    done: 'is approved',
    reason: { ...REASON, description: 'What you have checked.' },
    look: 'main',
  },
  ENABLE: {
    action: 'Enable',
    description: 'From the next call on, real fans can sign in with it.',
    done: 'is enabled',
    reason: REASON,
    look: 'main',
  },
  SUSPEND: {
    action: 'Suspend',
    description:
      'From the next call on, it can’t sign fans in, refresh tokens or call the API. Its grants stay, and it can be enabled again.',
    done: 'is suspended',
    reason: REASON,
    look: 'dangerous',
  },
};

/** Why the signed-in person may not take a step; undefined if they may. */
export function useStepObstacle(): (step: ClientStep) => string | undefined {
  const { lackOf } = useViewer();
  const words: Record<NonNullable<ClientStep['obstacle']>, (step: ClientStep) => string> = {
    LACKS_RIGHT: ({ right }) => lackOf(right.name),
    NEEDS_SECOND_PERSON: () => 'You submitted this client or edited it in review: somebody else must approve it.',
  };
  return (step) => (step.obstacle === null ? undefined : words[step.obstacle](step));
}
