/**
 * `npm run package` (after the pages are built): writes `fan-api.tgz`, the production package, with its bill of materials
 * (`sbom.cdx.json`, CycloneDX). The same commit gives the same bytes, so that anybody can check a package by making it again.
 *
 * @module
 * @see https://reproducible-builds.org/docs/archives/ https://cyclonedx.org
 */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BOM = 'sbom.cdx.json';
const FILES = [
  ...['package.json', 'package-lock.json', '.npmrc', '.env.example', 'LICENSE', 'README.md', BOM],
  ...['adapters', 'admin-ui/staff/dist', 'admin-ui/partner/dist', 'deploy', 'docs', 'packages', 'schema', 'src'],
];
const LEFT_OUT = [
  'packages/*/test',
  'packages/sandbox/.compiled',
  'packages/sandbox/.database',
  'node_modules',
  'target',
];

const run = (command: string, args: string[]) =>
  execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 << 20 });

/** What production installs, without what differs from one run of npm to the next. */
function billOfMaterials(): string {
  const found = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev']));
  const { serialNumber: _, metadata, ...rest } = found;
  const { timestamp: __, component, ...more } = metadata;
  // npm names it after the folder
  const bom = { ...rest, metadata: { ...more, component: { ...component, name: 'fan-api' } } };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** Seconds since 1970: of the commit, or as `SOURCE_DATE_EPOCH` says where there is no git; now where there is neither. */
function timeOfFiles(): string {
  if (process.env.SOURCE_DATE_EPOCH !== undefined) return process.env.SOURCE_DATE_EPOCH;
  try {
    return run('git', ['log', '-1', '--format=%ct']).trim();
  } catch {
    return String(Math.floor(Date.now() / 1000));
  }
}

const time = timeOfFiles();
writeFileSync(`${ROOT}${BOM}`, billOfMaterials());
try {
  run('tar', [
    ...['--create', '--use-compress-program=gzip -9n', '--file=fan-api.tgz'],
    ...['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'],
    ...LEFT_OUT.map((pattern) => `--exclude=${pattern}`),
    ...FILES,
  ]);
} finally {
  rmSync(`${ROOT}${BOM}`);
}
