import {
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
} from 'graphql';
import { readWords, UsageError } from './flags.ts';
import type { Operation } from './operation-document.ts';

export interface Flags {
  /** The arguments of the operation. */
  values: Record<string, unknown>;
  /** `--fields`: what to select of the answer. */
  fields: string | undefined;
}

/**
 * Reads the arguments of an operation by their types. A list is the flag repeated, or JSON; an object is JSON; a flag alone is true.
 * @throws UsageError naming the flag
 */
export function readFlags({ field }: Operation, words: readonly string[]): Flags {
  const names = [...field.args.map(({ name }) => name), 'fields'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string', multiple: true }] as const));
  const { values: texts } = readWords(words.map(saidWhole(field.args)), options, 0);
  const values: Record<string, unknown> = {};
  for (const argument of field.args) {
    const given = texts[argument.name];
    if (given !== undefined) values[argument.name] = readValue(argument, given);
    else if (isRequiredArgument(argument)) {
      throw new UsageError(`--${argument.name} ${String(argument.type)}: required for ${field.name}`);
    }
  }
  const fields = field.args.some(({ name }) => name === 'fields') ? undefined : texts.fields?.[0];
  return { values, fields };
}

/** Writes `--name` of a Boolean, without a value after it, as `--name=true`. */
function saidWhole(args: readonly GraphQLArgument[]) {
  const switches = args.filter(({ type }) => getNamedType(type).name === 'Boolean').map(({ name }) => `--${name}`);
  return (word: string, at: number, words: readonly string[]) =>
    switches.includes(word) && (words[at + 1] ?? '--').startsWith('--') ? `${word}=true` : word;
}

function readValue(argument: GraphQLArgument, given: string[]): unknown {
  const type = getNullableType(argument.type);
  const [only = ''] = given;
  if (isListType(type)) {
    const item: GraphQLInputType = type.ofType;
    const asJson = given.length === 1 && only.trimStart().startsWith('[');
    return asJson ? json(argument.name, only) : given.map((text) => single(argument.name, item, text));
  }
  if (given.length > 1) throw new UsageError(`--${argument.name}: given more than once`);
  return single(argument.name, type, only);
}

function single(name: string, type: GraphQLInputType, text: string): unknown {
  const named = getNamedType(type);
  if (isInputObjectType(named) || named.name === 'JSON') return json(name, text);
  // `sandbox-ready` as well as `SANDBOX_READY`
  if (isEnumType(named)) return text.toUpperCase().replace(/\W/g, '_');
  if (named.name === 'Boolean') return oneOf(name, text, { true: true, false: false });
  if (named.name === 'Int' || named.name === 'Float') return number(name, text);
  return text;
}

function json(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--${name}: must be JSON`);
  }
}

function number(name: string, text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new UsageError(`--${name}: must be a number`);
  return Number(text);
}

function oneOf<T>(name: string, text: string, known: Record<string, T>): T {
  const value = known[text];
  if (value === undefined) throw new UsageError(`--${name}: must be one of ${Object.keys(known).join(', ')}`);
  return value;
}
