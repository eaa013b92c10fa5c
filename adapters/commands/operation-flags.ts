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
import type { Operation } from './operation-document.ts';

/** A wrong command line; the message is for the person who typed it. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export interface Flags {
  /** The arguments of the operation. */
  values: Record<string, unknown>;
  /** `--fields`: what to select of the answer. */
  fields: string | undefined;
}

/**
 * Reads `--name value`, `--name=value` and, for true, `--name`. A list is the flag repeated, or JSON; an object is JSON.
 * @throws UsageError naming the flag
 */
export function readFlags({ field }: Operation, words: readonly string[]): Flags {
  const texts = new Map<string, string[]>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [, name, inline] = /^--([A-Za-z_]\w*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) throw new UsageError(`${word}: arguments are written as --name value`);
    const next = words[at + 1];
    const bare = inline === undefined && (next === undefined || next.startsWith('--'));
    texts.set(name, [...(texts.get(name) ?? []), inline ?? (bare ? 'true' : (next ?? ''))]);
    if (inline === undefined && !bare) at++;
  }
  const values: Record<string, unknown> = {};
  for (const [name, given] of texts) {
    const argument = field.args.find((known) => known.name === name);
    if (argument) values[name] = readValue(argument, given);
    else if (name !== 'fields') throw new UsageError(`--${name}: ${field.name} has no such argument`);
  }
  const missing = field.args.find((argument) => isRequiredArgument(argument) && !texts.has(argument.name));
  if (missing) throw new UsageError(`--${missing.name} ${String(missing.type)}: required for ${field.name}`);
  const fields = field.args.some(({ name }) => name === 'fields') ? undefined : texts.get('fields')?.[0];
  return { values, fields };
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
