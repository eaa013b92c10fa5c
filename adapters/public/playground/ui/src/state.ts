import type { FetchTicketsResponse } from '@fan-api/sdk';
import type { Call } from './calls/call.ts';
import type { Attempt, CallbackParameters } from './sign-in/attempt.ts';
import { type Pieces, startingPieces } from './sign-in/authorize-url.ts';
import type { Step } from './steps.ts';
import { STATE_KEY } from './stored-state.ts';
import type { TokenSet } from './tokens/token-set.ts';
import type { Sale } from './trade/sale.ts';

/** A fan who signed in through the playground. */
export interface SignedInFan {
  sub: string;
  /** Undefined where the fan is none of the listed test users. */
  phone: string | undefined;
  tokens: TokenSet;
  /** As `GET /tickets` last answered. */
  tickets?: FetchTicketsResponse | undefined;
  userinfo?: Record<string, unknown> | undefined;
  /** The signed receipt (JWT). */
  receipt?: string | undefined;
}

/** What a forced error answered. */
export interface ForcedError {
  /** Id of its call; 0 where the browser was sent on. */
  call: number;
  status: number | null;
  code: string | null;
}

/** The whole state of the playground. It lives as long as the tab; a real app keeps tokens and keys on its server. */
export interface State {
  step: Step;
  pieces: Pieces;
  /** Whether the code is exchanged as soon as the fan comes back, where the checks of the callback pass. */
  exchangesItself: boolean;
  /** Whether an access token that is about to expire is refreshed before a call. */
  refreshesItself: boolean;
  /** The pending sign-in, or the last one. */
  attempt?: Attempt | undefined;
  callback?: CallbackParameters | undefined;
  fans: SignedInFan[];
  /** `sub` of the fan whose tokens the steps use. */
  active?: string | undefined;
  /** Newest first. */
  calls: Call[];
  nextCall: number;
  sale: Sale;
  /** What forced errors answered, by their id. */
  forced: Record<string, ForcedError>;
}

/** Oldest calls are dropped: the browser keeps some 5 MB for a tab. */
const MOST_CALLS = 60;
const LONGEST_KEPT = 4_000_000;

function initialState(): State {
  return {
    step: 'sign-in',
    pieces: startingPieces(),
    exchangesItself: true,
    refreshesItself: true,
    fans: [],
    calls: [],
    nextCall: 1,
    sale: { ticketId: '', price: '2', transactions: {} },
    forced: {},
  };
}

let state = load();
const listeners = new Set<() => void>();

function load(): State {
  const stored = sessionStorage.getItem(STATE_KEY);
  if (stored === null) return initialState();
  try {
    return { ...initialState(), ...(JSON.parse(stored) as Partial<State>) };
  } catch {
    return initialState();
  }
}

/** Tabs and private windows may have less room than usual: then older calls are dropped. */
function save(): void {
  let { calls } = state;
  for (;;) {
    const text = JSON.stringify({ ...state, calls });
    try {
      if (text.length > LONGEST_KEPT) throw new Error('too long');
      sessionStorage.setItem(STATE_KEY, text);
      return;
    } catch {
      if (calls.length === 0) return;
      calls = calls.slice(0, Math.floor(calls.length / 2));
    }
  }
}

export function currentState(): State {
  return state;
}

/** Changes the state, saves it, and draws the page again. */
export function change(changes: Partial<State>): void {
  state = { ...state, ...changes };
  save();
  for (const listener of listeners) listener();
}

/** Calls back after every change. @returns ends it */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Forgets everything but the step; the tokens stay valid. */
export function startOver(): void {
  change({ ...initialState(), attempt: undefined, callback: undefined, active: undefined });
}

export function addCall(call: Omit<Call, 'id'>): Call {
  const added = { ...call, id: state.nextCall };
  change({ calls: [added, ...state.calls].slice(0, MOST_CALLS), nextCall: state.nextCall + 1 });
  return added;
}

export function replaceCall(call: Call): void {
  change({ calls: state.calls.map((other) => (other.id === call.id ? call : other)) });
}

/** Adds a fan, or changes one by its `sub`. */
export function putFan(fan: SignedInFan): void {
  const others = state.fans.filter(({ sub }) => sub !== fan.sub);
  change({ fans: [...others, fan].sort((a, b) => (a.sub < b.sub ? -1 : 1)) });
}

export function changeFan(sub: string, changes: Partial<SignedInFan>): void {
  change({ fans: state.fans.map((fan) => (fan.sub === sub ? { ...fan, ...changes } : fan)) });
}

export function removeFan(sub: string): void {
  const fans = state.fans.filter((fan) => fan.sub !== sub);
  change({ fans, active: state.active === sub ? fans[0]?.sub : state.active });
}

export function activeFan(): SignedInFan | undefined {
  return state.fans.find(({ sub }) => sub === state.active);
}

export function noteForced(id: string, outcome: ForcedError): void {
  change({ forced: { ...state.forced, [id]: outcome } });
}
