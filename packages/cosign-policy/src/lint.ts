import { addressOf } from '@fan-api/solana-wire/base58';
import { PERMIT_STATES } from '@fan-api/ticket-program/description';
import type { ListingAction, PolicyAction } from './actions.ts';
import { CLAIM_RULES } from './claim-rules.ts';
import { type Examined, examineTransactions, TERMS_READABLE } from './examine-transactions.ts';
import { type Explanation, explain } from './explain.ts';
import { LISTING_RULES } from './listing-rules.ts';
import { cannotSignFor } from './marketplace.ts';
import { createNodeClient, type NodeAccount, type NodeClient, NodeError } from './node-client.ts';
import { configAddress } from './program-addresses.ts';
import { type AccountValues, accountKindOf, decodeAccount, NO_ADDRESS } from './read-account.ts';
import { type Need, rulesOf } from './rules.ts';
import { fail, hasPassed, judgeState, pass } from './verdicts.ts';

export interface LintOptions {
  readonly action: PolicyAction;
  /** Address of the ticket program, base58. */
  readonly programId: string;
  /** The fan's wallet, base58. */
  readonly wallet?: string | undefined;
  /** Co-signing authorities, base58; read from the chain where none is given. */
  readonly authorities?: readonly string[] | undefined;
  /** A node of the cluster. Without it, what needs the chain is left unchecked. */
  readonly rpcUrl?: string | undefined;
}

/**
 * Judges the transactions of one request as the service would, as far as possible without it. A rule that needs facts that are not
 * known here is `unchecked`, unless the known ones show that it is broken.
 * @throws NodeError where the node gives no answer
 */
export async function lint(texts: readonly string[], options: LintOptions): Promise<Explanation[]> {
  const { action, programId, wallet } = options;
  const node = options.rpcUrl === undefined ? undefined : createNodeClient(options.rpcUrl);
  const authorities = options.authorities ?? (node && (await readAuthorities(node, programId)));
  const facts = { programId, fanWallet: wallet, authorities, ourKeys: new Set<string>() };
  const examined = await examineTransactions(texts, action, facts);
  if (node !== undefined) for (const each of examined) await judgeByNode(node, each, options);
  const knows = new Set<Need>();
  if (node !== undefined) knows.add('chain');
  if (wallet !== undefined) knows.add('fan_wallet');
  if (authorities !== undefined) knows.add('authorities');
  return examined.map((each) => explain(each, action, programId, knows));
}

/** The authorities in the program's Config account. */
async function readAuthorities(node: NodeClient, programId: string): Promise<string[]> {
  const [account] = await node.accounts([configAddress(programId).address]);
  if (account?.owner !== programId) {
    throw new NodeError(`the program ${programId} has no configuration on this cluster`);
  }
  const { authority, former_authority: former } = decodeAccount('Config', account.data);
  return former === NO_ADDRESS ? [authority] : [authority, former];
}

async function judgeByNode(node: NodeClient, examined: Examined, options: LintOptions): Promise<void> {
  const { marks, candidate, listing, claim } = examined;
  if (candidate === undefined) return;
  const blockhash = addressOf(candidate.transaction.recentBlockhash);
  if (await node.isBlockhashValid(blockhash)) pass(marks, 'blockhash_expired');
  else fail(marks, 'blockhash_expired', blockhash);
  if (listing !== undefined) await judgeListing(node, examined, options);
  if (claim !== undefined) await judgeClaim(node, examined, options);
}

/** Assumes that what only the service knows allows signing: `verdictsOf` reports the rules that need it as unchecked. */
async function judgeListing(
  node: NodeClient,
  { marks, listing }: Examined,
  { action, programId, wallet }: LintOptions,
): Promise<void> {
  if (listing === undefined) return;
  const addresses = [listing.permit, ...(listing.marketplace === null ? [] : [listing.marketplace])];
  const [permit, marketplace] = await node.accounts(addresses);
  const account = permitIn(permit, programId);
  const found = {
    action: action as ListingAction,
    wallet: wallet ?? account?.owner ?? NO_ADDRESS,
    listing,
    state: {
      account: account && ({ owner: account.owner, state: isListed(account) ? 'listed' : 'held' } as const),
      isReached: true,
      ours: [],
      cannotSign: marketplace !== undefined && cannotSignFor(marketplace, programId),
      otherMarketplaces: undefined,
      notForResale: undefined,
    },
  };
  if (account === undefined)
    fail(marks, 'ticket_not_found', `${listing.permit} is not onchain; a ticket is put there once an app may list it`);
  judgeState(marks, LISTING_RULES, found, TERMS_READABLE);
}

async function judgeClaim(node: NodeClient, { marks, claim }: Examined, { programId }: LintOptions): Promise<void> {
  if (claim === undefined) return;
  const status = await node.status(claim.signature);
  const [account] = await node.accounts([claim.permit]);
  const permit = permitIn(account, programId);
  if (status?.failed !== undefined) fail(marks, 'chain_refused', status.failed);
  const landed = status !== undefined && status.failed === undefined;
  if (landed) marks.set('blockhash_expired', { outcome: 'passed' });
  const found = {
    claim,
    permit: permit && { ...permit, marketplace: isListed(permit) ? permit.marketplace : null },
    // only the service knows
    isKnown: true,
    mayBeResold: true,
    isClaimed: false,
    landed,
  };
  judgeState(marks, CLAIM_RULES, found, TERMS_READABLE);
  const others = rulesOf('claim').filter(({ rule }) => rule !== 'chain_refused');
  if (!others.every(({ rule }) => hasPassed(marks, rule))) return;
  const reason = landed ? undefined : await node.simulate(claim.bytes);
  if (reason === undefined) pass(marks, 'chain_refused');
  else fail(marks, 'chain_refused', reason);
}

function permitIn(account: NodeAccount | undefined, programId: string): AccountValues<'Permit'> | undefined {
  if (account?.owner !== programId || accountKindOf(account.data) !== 'Permit') return undefined;
  return decodeAccount('Permit', account.data);
}

function isListed({ state }: AccountValues<'Permit'>): boolean {
  return state === PERMIT_STATES.listed;
}
