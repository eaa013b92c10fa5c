import type { ClientData } from './document.ts';

/** A step in the life of a production client. */
export interface Step {
  name: 'submit' | 'withdraw' | 'approve' | 'reject' | 'enable' | 'suspend';
  /** On the button that begins it, and on the one that does it. */
  label: string;
  deed: string;
  /** What comes of it, before it is done. */
  says: string;
  /** "The client …" */
  done: string;
  right: string;
  /** The one that the client's state asks for. */
  main: boolean;
  reason: { label: string; description?: string };
  dangerous?: boolean;
  fresh?: boolean;
  secondPerson?: boolean;
}

const REASON = {
  label: 'Reason',
  description: 'It goes into the audit log.',
};

const SUBMIT: Step = {
  name: 'submit',
  label: 'Submit for review',
  deed: 'Submit',
  says: 'Redirect URIs and scopes go to review as they are. You can’t approve it yourself.',
  done: 'is in review',
  right: 'clients:write',
  main: true,
  reason: { label: 'Note for the reviewers', description: 'What the client is for, and who asked for it.' },
};

const WITHDRAW: Step = {
  name: 'withdraw',
  label: 'Withdraw',
  deed: 'Withdraw',
  says: 'It is a draft again and leaves the review queue.',
  done: 'is a draft again',
  right: 'clients:write',
  main: false,
  reason: REASON,
};

const APPROVE: Step = {
  name: 'approve',
  label: 'Approve',
  deed: 'Approve',
  says: 'The registration is frozen as you see it. Nobody can use the client before it is enabled, too.',
  done: 'is approved',
  right: 'clients:review',
  main: true,
  reason: { label: 'Reason', description: 'What you have checked.' },
  secondPerson: true,
};

const REJECT: Step = {
  name: 'reject',
  label: 'Reject',
  deed: 'Reject',
  says: 'It can be changed and submitted again.',
  done: 'is rejected',
  right: 'clients:review',
  main: false,
  reason: { label: 'Reason', description: 'What has to change, in words that can be passed on to the partner.' },
  dangerous: true,
};

const ENABLE: Step = {
  name: 'enable',
  label: 'Enable',
  deed: 'Enable',
  says: 'From the next call on, real fans can sign in with it.',
  done: 'is enabled',
  right: 'clients:enable',
  main: true,
  reason: REASON,
  fresh: true,
};

const SUSPEND: Step = {
  name: 'suspend',
  label: 'Suspend',
  deed: 'Suspend',
  says: 'From the next call on, sign-in, refresh and the API refuse it. Its grants stay, and it can be enabled again.',
  done: 'is suspended',
  right: 'clients:suspend',
  main: false,
  reason: REASON,
  dangerous: true,
};

/** What can be done from each state. */
export const STEPS_FROM: Record<ClientData['status'], readonly Step[]> = {
  DRAFT: [SUBMIT],
  SANDBOX_READY: [],
  IN_REVIEW: [WITHDRAW, REJECT, APPROVE],
  APPROVED: [ENABLE],
  ENABLED: [SUSPEND],
  SUSPENDED: [ENABLE],
  REJECTED: [SUBMIT],
};
