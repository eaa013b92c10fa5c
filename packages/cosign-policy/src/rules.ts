/**
 * The list of all rules, in the order in which they are judged, with what each needs to be judged by. Their words are here and in
 * `chain-error.ts`; their checks in `judge-shape.ts`, `judge-listing-transactions.ts`, `signatures.ts`, `check-request.ts`,
 * `listing-rules.ts` and `claim-rules.ts`.
 *
 * @module
 */
import { ACTIONS, type PolicyAction } from './actions.ts';
import { CHAIN_FIXES, ChainError, type ChainErrorCode } from './chain-error.ts';

/** What a rule needs besides the transactions of the request. Only the service has `grant` and `service`. */
export type Need =
  /** The wallet of the token's fan. */
  | 'fan_wallet'
  /** The co-signing authorities, which the program's Config account names. */
  | 'authorities'
  /** Accounts and blockhashes of the cluster. */
  | 'chain'
  /** What the fan allowed, and which tickets the service has. */
  | 'grant'
  /** The service's keys, its claims, and what its staff have stopped. */
  | 'service';

/** All of them, which the service has. */
export const EVERY_NEED: ReadonlySet<Need> = new Set(['fan_wallet', 'authorities', 'chain', 'grant', 'service']);

/** Codes that are errors of accounts and addresses, and no rules for a partner's transaction. */
type InnerCode = 'bad_address' | 'bad_account_data';

interface StateText {
  readonly message: string;
  readonly fix: string;
  /** The stable code of the refusal, in `X-Error-Code`. */
  readonly code: 'not_found' | 'unavailable';
  /** The sentence of the refusal; absent where the caller has a sentence of its own. */
  readonly refusal?: string;
}

/** Rules whose refusal is an error of the service, not one of the transaction. */
const STATE_TEXTS = {
  signing_stopped: {
    message: 'the service signs listings at the moment, and listings on this marketplace',
    fix: 'Send the same transactions again later: signing is stopped for the moment, for all or for this marketplace.',
    code: 'unavailable',
  },
  ticket_not_found: {
    message:
      'the permit is of a ticket that you may use: of the token’s mode, for an event that is not over (a cancellation also for one that is), and for a listing also of this fan and within the grant',
    fix: 'Take the permit of a ticket from `GET /tickets` with the fan’s token, on the cluster of the token’s mode.',
    code: 'not_found',
    refusal: 'the ticket was not found.',
  },
  foreign_marketplace: {
    message: 'the listing is on a marketplace that the client has registered, where it has registered any',
    fix: 'List on one of your client’s marketplaces, or add this address to them: for a production client that is an edit that we review.',
    code: 'not_found',
    refusal: 'the client has not registered this marketplace.',
  },
  not_for_resale: {
    message: 'the company lets a ticket of this type be resold, and the time for it is not over',
    fix: 'Don’t offer this ticket for sale. A cancellation works at any time.',
    code: 'not_found',
    refusal: 'the ticket may not be resold.',
  },
  already_listed: {
    message: 'a ticket that is to be listed is not listed yet',
    fix: 'Cancel the present listing first, and wait until that is confirmed.',
    code: 'not_found',
    refusal: 'the ticket is listed already.',
  },
  not_listed: {
    message: 'a ticket whose listing is to be cancelled is listed',
    fix: 'There is nothing to cancel: the ticket is held. Check that its listing was confirmed.',
    code: 'not_found',
    refusal: 'the ticket has no listing.',
  },
  listing_gone: {
    message:
      'the transfer authority may move the permit: its owner while it is held; its marketplace while it is listed, for the listing of the number that the transfer names, as long as the ticket may be resold',
    fix: 'Read the permit from the chain: sign with the marketplace of its present listing and name its number, or end the sale if the ticket or its listing is gone.',
    code: 'not_found',
    refusal: 'the ticket or its listing is gone.',
  },
  claim_under_way: {
    message: 'no other claim of the ticket is under way',
    fix: 'Wait for the other claim of this ticket to end; send that one again to learn its result.',
    code: 'not_found',
    refusal: 'another claim of these tickets is under way.',
  },
} as const satisfies Record<string, StateText>;

export type StateRuleName = keyof typeof STATE_TEXTS;
export type RuleName = Exclude<ChainErrorCode, InnerCode> | StateRuleName;

/** The actions that a rule is for, and what it needs. */
interface Scope {
  readonly actions: readonly PolicyAction[];
  readonly needs: readonly Need[];
}

const ALL = Object.keys(ACTIONS) as PolicyAction[];
const LISTINGS: readonly PolicyAction[] = ['list', 'cancel'];
const bytes: Scope = { actions: ALL, needs: [] };
const keys: Scope = { actions: ALL, needs: ['fan_wallet', 'authorities', 'service'] };

/** Rules of the wire format, in which the parser stops at the first error. */
export const WIRE_RULES = [
  'too_large',
  'version_one',
  'version_unknown',
  'shortvec',
  'truncated',
  'trailing_bytes',
  'signature_count',
  'header',
  'account_limit',
  'duplicate_key',
  'empty_lookup',
  'index_out_of_bounds',
] as const satisfies readonly RuleName[];

const listing = (...needs: Need[]): Scope => ({ actions: ['list'], needs });
const claim = (...needs: Need[]): Scope => ({ actions: ['claim'], needs });

/** Each rule once, in the order of judging: the first that a transaction breaks is its refusal. */
const SCOPES: readonly (readonly [Scope, ...RuleName[]])[] = [
  [bytes, 'transaction_count', 'encoding', ...WIRE_RULES, 'lookup_table', 'durable_nonce'],
  [keys, 'our_key_as_program'],
  [bytes, 'foreign_program', 'compute_budget_kind', 'compute_budget_accounts', 'compute_budget_repeated'],
  [bytes, 'compute_unit_limit', 'compute_unit_price', 'wrong_instruction', 'repeated_instruction', 'no_instruction'],
  [bytes, 'data_length', 'account_count'],
  [keys, 'our_key_pays'],
  [{ actions: ALL, needs: ['fan_wallet', 'authorities'] }, 'wrong_account'],
  [keys, 'our_key_misplaced'],
  [bytes, 'repeated_account', 'foreign_signer', 'wrong_flags', 'unused_account'],
  [listing(), 'price_zero', 'marketplace_zero'],
  [claim(), 'signature_missing', 'repeated_transaction'],
  [bytes, 'repeated_permit', 'signature_invalid'],
  [{ actions: LISTINGS, needs: ['service'] }, 'signing_stopped'],
  [{ actions: ALL, needs: ['chain', 'fan_wallet', 'grant'] }, 'ticket_not_found'],
  [{ actions: LISTINGS, needs: ['chain', 'fan_wallet'] }, 'wrong_owner'],
  [{ actions: LISTINGS, needs: ['service'] }, 'service_key'],
  [listing('chain', 'service'), 'marketplace_cannot_sign'],
  [listing('service'), 'foreign_marketplace'],
  [listing('grant'), 'not_for_resale'],
  [listing('chain'), 'already_listed'],
  [{ actions: ['cancel'], needs: ['chain'] }, 'not_listed'],
  [claim('chain'), 'listing_gone', 'wrong_terms'],
  [{ actions: ALL, needs: ['chain'] }, 'blockhash_expired'],
  [claim('service'), 'claim_under_way'],
  [claim('chain'), 'chain_refused'],
  [{ actions: LISTINGS, needs: ['service'] }, 'signature_conflict'],
];

/** A rule as it is published. */
export interface Rule {
  readonly rule: RuleName;
  /** What holds where the rule is kept. */
  readonly message: string;
  /** What to do where it is broken. */
  readonly fix: string;
  readonly actions: readonly PolicyAction[];
  readonly needs: readonly Need[];
  /** `X-Error-Code` of the refusal. */
  readonly code: string;
}

export const RULES: readonly Rule[] = SCOPES.flatMap(([scope, ...rules]) =>
  rules.map((rule) => {
    if (isStateRule(rule)) {
      const { message, fix, code } = STATE_TEXTS[rule];
      return { rule, message, fix, ...scope, code };
    }
    return { rule, message: new ChainError(rule).rule, fix: CHAIN_FIXES[rule], ...scope, code: rule };
  }),
);

/** The rules of an action, in the order of judging. */
export function rulesOf(action: PolicyAction): readonly Rule[] {
  return RULES.filter(({ actions }) => actions.includes(action));
}

export function isStateRule(rule: RuleName): rule is StateRuleName {
  return Object.hasOwn(STATE_TEXTS, rule);
}

/** The sentence with which a broken rule of the state is refused. */
export function refusalOf(rule: StateRuleName): string {
  const { message, refusal }: StateText = STATE_TEXTS[rule];
  return refusal ?? message;
}
