import { failureOf } from '../data/failure.ts';
import { notify, notifyWithUndo } from '../parts/undo.tsx';

interface Mutation<Input> {
  isPending: boolean;
  mutateAsync: (input: Input) => Promise<unknown>;
}

/** Revokes and restores test permits, with a notification; a revocation can be undone. */
export function permitChanges(
  revoke: Mutation<{ permitIds: string[]; reason: string }>,
  restore: Mutation<{ permitIds: string[] }>,
) {
  return {
    isChanging: revoke.isPending || restore.isPending,
    async revoke(permitIds: string[], reason: string): Promise<void> {
      await revoke.mutateAsync({ permitIds, reason });
      notifyWithUndo(`${countPermits(permitIds.length)} revoked.`, () => restore.mutateAsync({ permitIds }));
    },
    /** A failure becomes a notification too. */
    async restore(permitIds: string[]): Promise<void> {
      try {
        await restore.mutateAsync({ permitIds });
        notify(`${countPermits(permitIds.length)} restored.`);
      } catch (error) {
        notify(failureOf(error).message);
      }
    },
    /** Undoes granting. */
    takeBack: (permitIds: string[]) => revoke.mutateAsync({ permitIds, reason: 'Granted by mistake and undone.' }),
  };
}

export type PermitChanges = ReturnType<typeof permitChanges>;

/** `1 permit`, `3 permits` */
export function countPermits(count: number): string {
  return count === 1 ? '1 permit' : `${count} permits`;
}

/** The service's limit per call. */
export const MOST_PERMITS = 50;

/** What is wrong with the number of tickets for each of some users. */
export function eachError(each: number, users: number): string | null {
  if (each < 1) return 'Enter at least 1.';
  return each * users > MOST_PERMITS ? `Grant at most ${MOST_PERMITS} permits at a time (now ${each * users}).` : null;
}
