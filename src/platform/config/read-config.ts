import { distance } from 'fastest-levenshtein';
import { OperatorError } from '../operator-error.ts';
import { type Config, toConfig } from './config.ts';
import { contradictions } from './contradictions.ts';
import { readNamedFile } from './read-named-file.ts';
import { Environment, FORMER_SETTINGS, OWN_PREFIXES, SECRETS } from './variables.ts';

/** An unknown name of this length or more, at most `MOST_SLIPS` edits from one of ours, is reported as misspelled. */
const LONG_NAME = 8;
const MOST_SLIPS = 2;

/** What is wrong with the environment, one line per variable. The process prints it and exits with code 1. */
export class ConfigError extends OperatorError {
  constructor(lines: string[]) {
    super(`The configuration can't be used:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the configuration from environment variables. No other code reads a variable of the service.
 * @throws ConfigError naming each variable that is unknown, malformed or missing
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const names = Object.keys(Environment.shape);
  const problems = unknownVariables(env, [...names, ...SECRETS.map(fileVariable), ...FORMER_SETTINGS]);
  const values = { ...env, ...readSecretFiles(env, problems) };
  const given = Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
  const parsed = Environment.safeParse(given);
  const faults = new Map(parsed.error?.issues.map(({ path, message }) => [String(path[0]), message]));
  problems.push(...[...faults].map(([name, message]) => `${name}: ${message}`));
  // the valid values are checked further, so that one start reports every fault
  const valid =
    parsed.data ?? Environment.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !faults.has(name))));
  const further: string[] = [];
  const former = FORMER_SETTINGS.filter((name) => env[name]);
  const config = toConfig(valid, former, further);
  further.push(...contradictions(config, valid));
  // a value that could not be read is reported once, not as missing too
  const isKnown = (name: string) => faults.has(name) || (!values[name] && env[fileVariable(name)] !== undefined);
  problems.push(...further.filter((line) => !isKnown(line.slice(0, line.indexOf(':')))));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The variable that names a file with the value of another one. */
function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/** The secrets that files contain, without the line break at their end. */
function readSecretFiles(env: NodeJS.ProcessEnv, problems: string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of SECRETS) {
    const variable = fileVariable(name);
    const path = env[variable];
    if (!path) continue;
    if (env[name]) problems.push(`${variable}: must not be set together with ${name}`);
    const text = readNamedFile(variable, path, problems)
      ?.toString('utf8')
      .replace(/\r?\n$/, '');
    if (text === '') problems.push(`${variable}: the file ${path} is empty`);
    if (text) found[name] = text;
  }
  return found;
}

/** A misspelled name would otherwise be ignored. Variables of other programs are allowed. */
function unknownVariables(env: NodeJS.ProcessEnv, names: readonly string[]): string[] {
  return Object.keys(env).flatMap((name) => {
    if (names.includes(name)) return [];
    const meant = names.find((own) => own.length >= LONG_NAME && distance(own, name) <= MOST_SLIPS);
    if (meant !== undefined) return [`${name}: unknown variable; ${meant} is a variable of this service`];
    return OWN_PREFIXES.test(name) ? [`${name}: unknown variable (see docs/configuration.md)`] : [];
  });
}
