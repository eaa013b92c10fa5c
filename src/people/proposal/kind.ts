/**
 * What goes through this room: the file of a kind (`reopen.ts`, `move-out.ts`, …) proposes it (`propose.ts`). A second person decides
 * (`decide.ts`), which carries it out, or orders it; what was ordered ends later (`settle-proposals.ts`), and what nobody decides in
 * time is over (`expire-proposals.ts`). `kinds.ts` lists the kinds.
 *
 * @module
 */
import type { z } from 'zod';
import type { ProposalKindName } from '../../entities/proposal.ts';
import type { RightName } from '../../partners/rights.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import type { ServiceContext } from '../../runtime.ts';

/** What is proposed: the identifier of what it concerns, and the details of its kind. */
export interface Proposed<Details> {
  subject: string;
  details: Details;
}

/** A proposal as it is carried out. */
export interface Approved<Details> extends Proposed<Details> {
  id: Id<'prop'>;
  reason: string;
}

/** How a proposal that was carried out in the background ended. */
export interface ProposalEnd {
  id: Id<'prop'>;
  state: 'done' | 'failed';
  /** Why it failed; otherwise null. */
  outcome: string | null;
}

/** One kind of proposal. */
export interface ProposalKind<Details> {
  name: ProposalKindName;
  /** As a verb and its object: "Move a ticket to a wallet outside". */
  title: string;
  /** The right to propose it. */
  proposes: RightName;
  /** The right to approve or decline it: one that needs a fresh sign-in, so that no token can have it. */
  decides: RightName;
  details: z.ZodType<Details>;
  /** Everything that will happen, one sentence each, for the person who decides. */
  effects(proposed: Proposed<Details>): string[];
  /**
   * Checks that it can be done now: when it is proposed, and again when it is approved. May ask the cluster; not in a transaction.
   * @throws DomainError
   */
  check(context: ServiceContext, proposed: Proposed<Details>): Promise<void>;
  /**
   * Carries it out, within the transaction of the approval: no calls outside the database. What may have changed since `check` is
   * checked again under locks.
   * @returns `done`, or `background` where `ends` returns the end later
   * @throws DomainError; then the approval is refused, and nothing has happened
   */
  execute(context: ServiceContext, approved: Approved<Details>, actor: string): Promise<'done' | 'background'>;
  /** For a kind that is carried out in the background: the given approved proposals that have ended. May carry them out itself. */
  ends?(context: ServiceContext, ids: readonly Id<'prop'>[]): Promise<ProposalEnd[]>;
}

/** A kind whose details are read by its schema at each use: stored JSON is not trusted. */
export type AnyKind = ProposalKind<unknown>;

export function proposalKind<Details>(kind: ProposalKind<Details>): AnyKind {
  const read = <Given extends Proposed<unknown>>(given: Given) => ({
    ...given,
    details: kind.details.parse(given.details),
  });
  const { name, title, proposes, decides, details, ends } = kind;
  return {
    name,
    title,
    proposes,
    decides,
    details,
    effects: (proposed) => kind.effects(read(proposed)),
    check: (context, proposed) => kind.check(context, read(proposed)),
    execute: (context, approved, actor) => kind.execute(context, read(approved), actor),
    ...(ends && { ends }),
  };
}
