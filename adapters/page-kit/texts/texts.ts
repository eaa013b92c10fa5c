import type { Action } from '../../../src/oauth/scopes.ts';
import type { EndingReason, PassingReason } from '../failure.ts';

/** What one action lets a partner do: `see` only looks, `act` does something in the fan's name. */
export type ActionText = { kind: 'see' | 'act'; title: string; detail: string };

type TitleAndDetail = { title: string; detail: string };

/** The catalogue of one language: every word of the login pages, so that a text that is missing fails the type check. */
export type Texts = {
  direction: 'ltr' | 'rtl';
  actions: Record<Action, ActionText>;
  ended: Record<EndingReason | 'done', TitleAndDetail>;
  /** `seconds`: how long to wait, where the server says so. */
  failures: Record<PassingReason, (seconds: number | undefined) => string>;
  sandbox: { name: string; detail: string };
  /** Follows the partner's name. */
  lead: string;
  progress: string;
  steps: { phone: string; code: string; consent: string };
  loading: string;
  failed: string;
  retry: string;
  cancel: (client: string) => string;
  caution: (client: string) => string;
  leaving: (client: string) => string;
  back: (client: string) => string;
  startAgain: (client: string | undefined) => string;
  goBack: (client: string) => string;
  closingSoon: string;
  phone: {
    title: string;
    detail: string;
    sandboxDetail: string;
    country: string;
    chooseCountry: string;
    label: string;
    hint: string;
    submit: string;
    busy: string;
    incomplete: string;
  };
  code: {
    title: string;
    /** Followed by the masked number. */
    sentTo: string;
    /** Followed by the masked number. */
    sandboxDetail: string;
    label: string;
    incomplete: string;
    triesLeft: (n: number) => string;
    submit: string;
    busy: string;
    resend: string;
    resendIn: (seconds: number) => string;
    resent: string;
    sandboxResent: string;
    changeNumber: string;
  };
  consent: {
    title: string;
    detail: (client: string) => string;
    plainTitle: (client: string) => string;
    plainDetail: (client: string) => string;
    plainSubmit: string;
    plainDeny: string;
    see: string;
    act: string;
    /** The explanation of an action that these pages do not know yet. */
    otherDetail: string;
    tickets: string;
    all: string;
    allDetail: (tickets: number) => string;
    selected: string;
    selectedDetail: string;
    noneToSelect: string;
    search: string;
    noneFound: string;
    selectAll: string;
    selectNone: string;
    /** The same two for the tickets that a search has found. */
    selectFound: string;
    deselectFound: string;
    selectedCount: (selected: number, all: number) => string;
    ticketNumber: (position: number, all: number) => string;
    chooseAction: string;
    chooseTicket: string;
    submit: string;
    deny: string;
    busy: string;
  };
};
