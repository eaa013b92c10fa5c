import { useViewer } from '../data/viewer.ts';
import { type ClientData, type ClientStep, waitingEditOf } from './document.ts';

/** Texts of a step in the life cycle of a production client. */
export interface StepWords {
  /** On the button that takes it. */
  action: string;
  /** On the button that opens the dialog; `action` by default. */
  label?: string;
  /** What it is taken on, before the client's name; nothing where that is the client itself. */
  object?: string;
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
    description: 'Someone else reviews the registration as it is. You can’t approve it yourself.',
    done: 'is in review',
    reason: { label: 'Note to the reviewers', description: 'What the client is for, and who asked for it.' },
    look: 'main',
  },
  WITHDRAW: {
    action: 'Withdraw',
    description: 'The client leaves the review queue and becomes a draft.',
    done: 'is a draft again',
    reason: REASON,
    look: 'other',
  },
  REJECT: {
    action: 'Reject',
    description: 'The client can be edited and submitted again.',
    done: 'is rejected',
    reason: { ...REASON, description: 'What has to change. Write it so that you can forward it to the partner.' },
    look: 'dangerous',
  },
  APPROVE: {
    action: 'Approve',
    description: 'You approve what you see here. Fans can’t use the client until it is enabled.',
    done: 'is approved',
    reason: { ...REASON, description: 'What you checked.' },
    look: 'main',
  },
  ENABLE: {
    action: 'Enable',
    description: 'Fans can sign in with it from now on.',
    done: 'is enabled',
    reason: REASON,
    look: 'main',
  },
  SUSPEND: {
    action: 'Suspend',
    description:
      'From the next call on, it can’t sign fans in, refresh tokens or use the API. Its grants stay, and a reviewer can enable it again.',
    done: 'is suspended',
    reason: REASON,
    look: 'dangerous',
  },
};

/** Of the steps that decide an edit which waits beside the registration in force. */
const EDIT_WORDS: Partial<Record<ClientStep['name'], StepWords>> = {
  WITHDRAW: {
    ...STEP_WORDS.WITHDRAW,
    label: 'Withdraw edit',
    object: 'the edit of',
    description: 'The edit leaves the review queue. The registration in force stays as it is.',
    done: 'keeps its registration in force',
  },
  REJECT: {
    ...STEP_WORDS.REJECT,
    label: 'Reject edit',
    object: 'the edit of',
    description: 'The registration in force stays as it is. The client can be edited again.',
    done: 'keeps its registration in force',
  },
  APPROVE: {
    ...STEP_WORDS.APPROVE,
    label: 'Approve edit',
    object: 'the edit of',
    description:
      'You approve what you see here. It replaces the registration in force, starting with the next sign-in.',
    done: 'now uses the edited registration',
  },
};

/** The texts of a step as it is for this client. */
export function wordsOf(client: ClientData, name: ClientStep['name']): StepWords {
  return (waitingEditOf(client) && EDIT_WORDS[name]) ?? STEP_WORDS[name];
}

/** The title of the dialog that takes a step. */
export function titleOf({ action, object }: StepWords, { name }: ClientData): string {
  return [action, object, name].filter(Boolean).join(' ');
}

/** The step that leads on; undefined where nothing is to be done. */
export function mainStepOf({ steps }: Pick<ClientData, 'steps'>): ClientStep | undefined {
  return steps.find(({ name }) => STEP_WORDS[name].look === 'main');
}

/** Why the signed-in person can’t take a step, and who can; undefined if they can. */
export function useStepObstacle(): (step: ClientStep) => string | undefined {
  const { lackOf } = useViewer();
  const words: Record<NonNullable<ClientStep['obstacle']>, (step: ClientStep) => string> = {
    LACKS_RIGHT: ({ right }) => lackOf(right.name),
    NEEDS_SECOND_PERSON: () =>
      'You submitted this, edited it or belong to the partner, so another reviewer or an admin has to do it.',
  };
  return (step) => (step.obstacle === null ? undefined : words[step.obstacle](step));
}
