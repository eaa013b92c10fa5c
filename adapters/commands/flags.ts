import { parseArgs } from 'node:util';
import { OperatorError } from '../../src/platform/operator-error.ts';

/** A wrong command line; the message is for the person who typed it. */
export class UsageError extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The flags of a command by name: each has one value, a value each time it is given, or none. */
type Options = Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>;

type Values<T extends Options> = {
  [Name in keyof T]?: T[Name] extends { multiple: true }
    ? string[]
    : T[Name] extends { type: 'string' }
      ? string
      : true;
};

/**
 * Reads `--name value`, `--name=value` and, for a flag without a value, `--name`.
 * @param most how many words that are no flags are allowed
 * @throws UsageError naming the flag
 */
export function readWords<const T extends Options>(
  words: readonly string[],
  options: T,
  most: number,
): { values: Values<T>; positionals: string[] } {
  // strict, it would refuse a value that begins with a hyphen
  const line = { args: [...words], options, allowPositionals: true, strict: false, tokens: true } as const;
  const { values, positionals, tokens } = parseArgs(line);
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) throw new UsageError(`${rawName}: there is no such flag, but ${namesOf(options)}`);
    const isMissing = value === undefined || (!inlineValue && value.startsWith('--'));
    if (option.type === 'string' && isMissing) throw new UsageError(`${rawName}: needs a value`);
    if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName}: takes no value`);
  }
  const [extra] = positionals.slice(most);
  if (extra !== undefined) throw new UsageError(`${extra}: flags are written as --name value`);
  return { values: values as Values<T>, positionals };
}

/**
 * The subcommand of a name.
 * @param of what the message begins with: `audit`
 * @throws UsageError listing the names
 */
export function subcommandOf<T>(commands: Readonly<Record<string, T>>, name: string, of: string): T {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`${of}: one of ${Object.keys(commands).join(', ')}`);
  return command;
}

function namesOf(options: Options): string {
  return Object.keys(options)
    .map((name) => `--${name}`)
    .join(', ');
}
