import { REFUSAL } from '../../../console-kit/data/document.ts';
import { failureOf } from '../../../console-kit/data/failure.ts';
import { useChange } from '../../../console-kit/data/view.ts';
import { notify, notifyWithUndo } from '../../../console-kit/parts/undo.tsx';
import { graphql } from '../data/graphql.ts';

const REVOKE = graphql(`
  mutation RevokePermits($permitIds: [ID!]!, $reason: String!) {
    revokePermits(permitIds: $permitIds, reason: $reason) { ${REFUSAL} ... on PermitsChanged { permits { id state } } }
  }
`);

const RESTORE = graphql(`
  mutation RestorePermits($permitIds: [ID!]!) {
    restorePermits(permitIds: $permitIds) { ${REFUSAL} ... on PermitsChanged { permits { id state } } }
  }
`);

/** Revokes and restores test permits, with a notification; a revocation can be undone. */
export function usePermitChanges() {
  const revoke = useChange(REVOKE);
  const restore = useChange(RESTORE);
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

/** `1 permit`, `3 permits` */
export function countPermits(count: number): string {
  return count === 1 ? '1 permit' : `${count} permits`;
}
