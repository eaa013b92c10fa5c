import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** The result of a mutation, and what that refers to. */
const LEVELS_OF_A_RESULT = 2;

/**
 * Whether a mutation selects more than its result and what the result refers to. References lead everywhere from there,
 * so a right to change one thing would become a right to read everything.
 */
export function readsBeyondResult({ fieldNodes, fragments, operation }: GraphQLResolveInfo): boolean {
  const seen = new Set<string>();
  const isDeep = (selected: SelectionSetNode | undefined, level: number): boolean =>
    selected !== undefined &&
    (level > LEVELS_OF_A_RESULT ||
      selected.selections.some((selection) => {
        if (selection.kind === Kind.FIELD) return isDeep(selection.selectionSet, level + 1);
        if (selection.kind === Kind.INLINE_FRAGMENT) return isDeep(selection.selectionSet, level);
        // fragments may include one another many times over
        const visit = `${level} ${selection.name.value}`;
        if (seen.has(visit)) return false;
        seen.add(visit);
        return isDeep(fragments[selection.name.value]?.selectionSet, level);
      }));
  return operation.operation === 'mutation' && fieldNodes.some(({ selectionSet }) => isDeep(selectionSet, 1));
}
