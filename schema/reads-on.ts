import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** The result of a mutation, and what that refers to. */
const LEVELS_OF_A_RESULT = 2;

/**
 * Whether the answer of a mutation is used to read further than to what its result refers to. From there references lead
 * everywhere, so that a right to change one thing would be a right to read all.
 */
export function readsOn({ fieldNodes, fragments, operation }: GraphQLResolveInfo): boolean {
  const seen = new Set<string>();
  const isDeep = (selected: SelectionSetNode | undefined, level: number): boolean =>
    selected !== undefined &&
    (level > LEVELS_OF_A_RESULT ||
      selected.selections.some((selection) => {
        if (selection.kind === Kind.FIELD) return isDeep(selection.selectionSet, level + 1);
        if (selection.kind === Kind.INLINE_FRAGMENT) return isDeep(selection.selectionSet, level);
        // many fragments may name one another many times over
        const visit = `${level} ${selection.name.value}`;
        if (seen.has(visit)) return false;
        seen.add(visit);
        return isDeep(fragments[selection.name.value]?.selectionSet, level);
      }));
  return operation.operation === 'mutation' && fieldNodes.some(({ selectionSet }) => isDeep(selectionSet, 1));
}
