import type { InstructionName } from '@fan-api/ticket-program/description';
import type { AllowedShape } from './candidate.ts';
import { configAddress } from './program-addresses.ts';

export type ListingAction = 'list' | 'cancel';

/** What a request asks for; each has its own allowed shape. */
export type PolicyAction = ListingAction | 'claim';

/** What the policy allows for an action. A slot is an account of the instruction, by its name. */
export interface ActionTerms {
  /** The only instruction of the ticket program that a transaction may have. */
  readonly instruction: InstructionName;
  /** The slot of the fan's wallet: the owner of the ticket, or its buyer. */
  readonly walletSlot: string;
  /** The slot of the co-signing authority, where the instruction has one. */
  readonly authoritySlot?: string;
  /** The slot whose account may also pay the fee. */
  readonly payingSlot: string;
  readonly mostTransactions: number;
  readonly encodings: readonly ('hex' | 'base64')[];
  /** Whether the partner must send every signature. Otherwise this service adds its own. */
  readonly fullySigned: boolean;
}

const LISTING = {
  walletSlot: 'owner',
  authoritySlot: 'authority',
  payingSlot: 'marketplace',
  mostTransactions: 4,
  encodings: ['hex', 'base64'],
  fullySigned: false,
} as const;

export const ACTIONS: Readonly<Record<PolicyAction, ActionTerms>> = {
  list: { ...LISTING, instruction: 'create_listing_v1' },
  cancel: { ...LISTING, instruction: 'cancel_listing_v1' },
  claim: {
    instruction: 'transfer_permit_v1',
    walletSlot: 'destination',
    payingSlot: 'transfer_authority',
    mostTransactions: 10,
    encodings: ['hex'],
    fullySigned: true,
  },
};

/** The facts by which a transaction is judged. Addresses are in base58. The service has all of them; a linter may not. */
export interface PolicyFacts {
  /** The ticket program in the token's mode. */
  readonly programId: string;
  /** The custodial wallet of the token's fan. */
  readonly fanWallet?: string | undefined;
  /** The co-signing authorities in the token's mode: the present one, then the former one while the program accepts it. */
  readonly authorities?: readonly string[] | undefined;
  /** Other keys of the service: none may pay the fee or be in a slot that the partner fills. */
  readonly ourKeys: ReadonlySet<string>;
}

/** The only shape that a transaction of an action may have. */
export function shapeFor(action: PolicyAction, facts: PolicyFacts): AllowedShape {
  const { programId, fanWallet, authorities } = facts;
  const { instruction, walletSlot, authoritySlot, payingSlot } = ACTIONS[action];
  const knownAccounts: Map<string, readonly string[] | undefined> = new Map([
    ['config', [configAddress(programId).address]],
    [walletSlot, fanWallet === undefined ? undefined : [fanWallet]],
  ]);
  if (authoritySlot !== undefined) knownAccounts.set(authoritySlot, authorities);
  return {
    programId,
    instruction,
    knownAccounts,
    // compared later (`listing-rules.ts`): the refusal names the owner, so only a caller that may see the ticket gets it
    ...(action !== 'claim' && { comparedByCaller: walletSlot }),
    payingSlot,
    ourKeys: new Set([...facts.ourKeys, ...(authorities ?? []), ...(fanWallet === undefined ? [] : [fanWallet])]),
  };
}
