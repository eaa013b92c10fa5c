/** `deploy/Dockerfile` as an image, without Docker: `debootstrap` and npm make the base, `buildah` the image. */
import { execFile, spawnSync } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const NPM = 'npm@11.21.2';
const BASE = 'localhost/node';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** What the image says about its start. */
interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[] | null;
  Cmd: string[];
  WorkingDir: string;
  Healthcheck: { Test: string[] };
}

export interface Image {
  config: ImageConfig;
  /** Its files, mounted. */
  root: string;
  /** As buildah prints them, such as `549 MB`. */
  size: { base: string; image: string };
  buildSeconds: number;
}

/** @returns why no image can be built here; undefined where one can */
export function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can mount an image';
  const missing = ['buildah', 'debootstrap'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
  return missing.length === 0 ? undefined : `not installed; apt-get install ${missing.join(' ')}`;
}

/** A folder for images, and its end: with all that is mounted in it, also after a failure. */
export async function imageFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'fan-api-image-'));
  const remove = async () => {
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
    const own = mounts.filter((path) => path.startsWith(`${folder}/`)).toReversed();
    for (const path of own) await run('umount', ['--lazy', path]);
    // never into a mount that is left
    await run('rm', ['--recursive', '--force', '--one-file-system', folder]);
  };
  return { folder, remove };
}

/** Makes the base. @returns what builds a stage of `deploy/Dockerfile` from the working tree, the last unless named, and mounts it */
export async function imageBuilder(folder: string): Promise<(target?: 'sandbox') => Promise<Image>> {
  const store = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'overlay'];
  const buildah = (...words: string[]) => run('buildah', [...store, ...words]);
  const mounted = async (image: string) => {
    const container = await buildah('from', image);
    return { container, root: await buildah('mount', container) };
  };

  const base = await mounted('scratch');
  await fillBase(base.root, folder);
  await buildah('config', '--env', `PATH=${PATH}`, base.container);
  await buildah('commit', '--quiet', base.container, BASE);
  await buildah('rm', base.container);

  return async (target) => {
    const name = `localhost/${target ?? 'fan-api'}`;
    const began = performance.now();
    const options = ['--isolation', 'chroot', '--format', 'docker', '--build-arg', `NODE_IMAGE=${BASE}`];
    const stage = target === undefined ? [] : ['--target', target];
    await buildah('build', ...options, ...stage, '--file', 'deploy/Dockerfile', '--tag', name, '.');
    const buildSeconds = (performance.now() - began) / 1_000;

    const sizes: { names: string[] | null; size: string }[] = JSON.parse(await buildah('images', '--json'));
    const sizeOf = (image: string) => sizes.find(({ names }) => names?.includes(`${image}:latest`))?.size ?? 'unknown';
    const { config } = JSON.parse(await buildah('inspect', '--type', 'image', name)).Docker;
    const { root } = await mounted(name);
    // a container has a folder where something is mounted
    await mkdir(join(root, 'etc/fan-api'));
    return { config, root, size: { base: sizeOf(BASE), image: sizeOf(name) }, buildSeconds };
  };
}

/** Debian with this Node and npm, as the official images of Node have them. */
async function fillBase(root: string, folder: string): Promise<void> {
  await run('debootstrap', ['--variant=minbase', 'bookworm', root, 'http://deb.debian.org/debian']);
  await rm(join(root, 'var/cache/apt'), { recursive: true });
  const local = join(root, 'usr/local');
  await cp(process.execPath, join(local, 'bin/node'));
  const tarball = await run('npm', ['pack', NPM, '--silent', '--pack-destination', folder]);
  const npm = join(local, 'lib/node_modules/npm');
  await mkdir(npm, { recursive: true });
  await run('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '--directory', npm]);
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  await appendFile(join(root, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n');
  await appendFile(join(root, 'etc/group'), 'node:x:1000:\n');

  // npm in the build reaches the registry as npm does here, through a proxy with a certificate of its own too
  const config = await run('npm', ['config', 'get', 'registry', 'proxy', 'https-proxy', 'cafile']);
  const authorities = /^cafile=(\/.+)$/m.exec(config)?.[1] ?? process.env.NODE_EXTRA_CA_CERTS;
  const lines = config.split('\n').filter((line) => !line.startsWith('cafile='));
  if (authorities !== undefined) {
    await cp(authorities, join(local, 'etc/authorities.crt'));
    lines.push('cafile=/usr/local/etc/authorities.crt');
  }
  await writeFile(join(local, 'etc/npmrc'), `${lines.join('\n')}\n`);
}

/** @throws Error with all that the program wrote: npm in a build writes to both streams */
async function run(program: string, words: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, words, { maxBuffer: 64 << 20 })).stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${words.join(' ')}\n${stdout}\n${stderr}`, { cause: error });
  }
}
