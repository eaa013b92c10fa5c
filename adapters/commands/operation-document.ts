import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';

/** A query or mutation of the schema, by its name. */
export interface Operation {
  kind: 'query' | 'mutation';
  field: GraphQLField<unknown, unknown>;
}

/** Levels of objects in the default selection. */
const DEPTH = 3;

/** All operations of the schema, queries first. */
export function operationsOf(schema: GraphQLSchema): Operation[] {
  const fieldsOf = (kind: Operation['kind']): Operation[] => {
    const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
    return Object.values(type?.getFields() ?? {}).map((field) => ({ kind, field }));
  };
  return [...fieldsOf('query'), ...fieldsOf('mutation')];
}

/**
 * The document of an operation.
 * @param given names of the arguments that have a value
 * @param fields the selection, as `{ id name }`; undefined: all fields, three objects deep
 */
export function documentOf({ kind, field }: Operation, given: readonly string[], fields: string | undefined): string {
  const used = field.args.filter(({ name }) => given.includes(name));
  const variables = used.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const values = used.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = fields ?? selectionOf(getNamedType(field.type), DEPTH, []);
  const inBrackets = (text: string) => (text === '' ? '' : `(${text})`);
  return `${kind} ${field.name}${inBrackets(variables)} { ${field.name}${inBrackets(values)} ${selection} }`;
}

function selectionOf(type: GraphQLNamedType, depth: number, within: readonly string[]): string {
  if (isUnionType(type)) {
    const members = type.getTypes().map((member) => `... on ${member.name} ${selectionOf(member, depth, within)}`);
    return `{ __typename ${members.join(' ')} }`;
  }
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields()).flatMap((field) => fieldSelection(field, type.name, depth, within));
  return `{ ${fields.length > 0 ? fields.join(' ') : '__typename'} }`;
}

function fieldSelection(
  field: GraphQLField<unknown, unknown>,
  parent: string,
  depth: number,
  within: readonly string[],
): string[] {
  const type = getNamedType(field.type);
  if (field.args.some(isRequiredArgument)) return [];
  if (isLeafType(type)) return [field.name];
  // `nodes` has the same rows
  if (isConnection(parent) && field.name === 'edges') return [];
  const path = [...within, parent];
  // no list within a list
  const tooDeep = depth <= 1 || path.includes(type.name) || (within.length > 0 && isConnection(type.name));
  return tooDeep ? [] : [`${field.name} ${selectionOf(type, isConnection(parent) ? depth : depth - 1, path)}`];
}

function isConnection(typeName: string): boolean {
  return typeName.endsWith('Connection');
}
