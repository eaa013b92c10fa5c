import { pathToFileURL } from 'node:url';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

let runs = 0;

/**
 * Runs a command of `adapters/commands` in this process, which has loaded the product already. One at a time. A test about the
 * process itself starts one.
 */
export async function runCommand(name: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const { argv, env: usualEnv, exitCode, stdout, stderr } = process;
  const writes = { stdout: stdout.write, stderr: stderr.write };
  const ended: Ended = { code: 0, stdout: '', stderr: '' };
  const noting = (stream: 'stdout' | 'stderr') =>
    ((text: string) => {
      ended[stream] += text;
      return true;
    }) as typeof stdout.write;
  const file = `adapters/commands/${name}.ts`;
  runs += 1;
  try {
    process.argv = [process.execPath, file, ...words];
    process.env = { PATH: usualEnv.PATH, ...env };
    process.exitCode = undefined;
    stdout.write = noting('stdout');
    stderr.write = noting('stderr');
    // a file of another address is run again
    await import(`${pathToFileURL(file)}?run=${runs}`);
  } finally {
    ended.code = Number(process.exitCode ?? 0);
    stdout.write = writes.stdout;
    stderr.write = writes.stderr;
    Object.assign(process, { argv, env: usualEnv, exitCode });
  }
  return ended;
}
