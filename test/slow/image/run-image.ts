/** A mounted image as a container runs it: read-only, with a `/tmp`, secrets as files, and the command as its first process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Image } from './build-image.ts';

export type Container = ReturnType<typeof runImage>;

/** In a mount namespace of its own, so that nothing stays mounted after it. */
const START = `set -e
root=$1 secrets=$2 folder=$3 user=\${4%:*} group=\${4#*:}
shift 4
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs -o mode=1777,size=256m tmpfs "$root/tmp"
mount --bind "$secrets" "$root/etc/fan-api"
mount -o remount,bind,ro "$root/etc/fan-api"
exec setpriv --no-new-privs unshare --root="$root" --wd="$folder" --setgid="$group" --setuid="$user" "$@"`;

const running = new Set<ChildProcess>();

/** @param secrets the folder that becomes `/etc/fan-api` */
export function runImage(
  { root, config }: Image,
  secrets: string,
  env: Record<string, string> = {},
  command: string[] = config.Cmd,
) {
  const own = Object.fromEntries(config.Env.map((pair) => pair.split(/=(.*)/s, 2)));
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  const words = [root, secrets, config.WorkingDir, config.User, ...command];
  const child = spawn('unshare', [...namespaces, 'sh', '-c', START, 'sh', ...words], {
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const written = { output: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    written.output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    written.errors += chunk;
  });
  const closed = once(child, 'close').finally(() => running.delete(child));
  /** Of the command: `unshare --fork` has one child, which becomes it. @throws Error where it has ended */
  const pid = () => {
    const [id] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').match(/\d+/) ?? [];
    if (id === undefined) throw new Error(`${command.join(' ')} has ended`);
    return Number(id);
  };
  return {
    output: () => written.output,
    errors: () => written.errors,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** The words of a line of `/proc/…/status` about the command, such as `Uid`. */
    status: (name: string) =>
      new RegExp(`^${name}:\\s(.*)$`, 'm').exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1]?.split('\t'),
    signal: (signal: NodeJS.Signals) => void process.kill(pid(), signal),
    /** @returns its exit code */
    async ended() {
      await closed;
      return child.exitCode;
    },
  };
}

/** Ends what a test has left. */
export async function endContainers(): Promise<void> {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}
