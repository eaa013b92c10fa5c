import type { HistoryEntry } from '../api.ts';

type Fact = HistoryEntry['fact'];
type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>;
/** What an app may be refused, as the history tells of it. */
export type Tried = 'tickets.list' | 'listings.sign' | 'claims.execute' | 'token.refresh';
/** Why, as far as a fan can make use of it. */
export type Because = 'ended' | 'notAllowed' | 'notFound' | 'rule';

/** The portal's catalogue of one language. Words that the login pages have too are taken from theirs. */
export type PortalTexts = {
  title: string;
  detail: string;
  phoneDetail: string;
  /** Followed by the masked number. */
  sentTo: string;
  signedInAs: string;
  signOut: string;
  signedOut: string;
  away: string;
  failed: string;
  none: { title: string; detail: string };
  modes: { sandbox: string; production: string };
  /** Followed by a date. */
  since: string;
  /** Followed by a date. */
  lastUsed: string;
  neverUsed: string;
  may: string;
  mayNothing: string;
  takeBack: string;
  takenBack: (action: string, client: string) => string;
  tickets: string;
  all: string;
  noTickets: string;
  change: string;
  save: string;
  saved: string;
  cancel: string;
  receipt: string;
  end: string;
  endTitle: (client: string) => string;
  endDetail: (client: string) => string;
  ended: (client: string) => string;
  /** Another tab, or somebody else, was faster. */
  gone: string;
  endAll: string;
  endAllTitle: string;
  endAllDetail: string;
  endedAll: string;
  busy: string;
  history: {
    title: string;
    empty: string;
    older: string;
    signed: string;
    granted: (client: string, fact: FactOf<'granted'>) => string;
    takenBack: (client: string, actions: string) => string;
    chosen: (client: string, fact: FactOf<'tickets_chosen'>) => string;
    left: (client: string, fact: FactOf<'tickets_left'>) => string;
    ended: Record<FactOf<'ended'>['by'], (client: string) => string>;
    listed: (client: string, ticket: string) => string;
    unlisted: (client: string, ticket: string) => string;
    claims: Record<FactOf<'claim'>['state'], (client: string, ticket: string) => string>;
    tried: Record<Tried, (client: string) => string>;
    refused: Record<Because, string>;
    times: (n: number) => string;
  };
};
