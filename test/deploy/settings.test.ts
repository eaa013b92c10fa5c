import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { Environment, SECRETS } from '../../src/platform/config/variables.ts';
import { testFolder } from '../support/test-folder.ts';

const read = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');

/** Known, though they are no settings of ours. */
const OTHERS = new Set(['NODE_COMPILE_CACHE']);

const isSetting = (name: string) => name in Environment.shape || SECRETS.some((secret) => name === `${secret}_FILE`);

/** Names of settings that a file sets, by what its format looks like. */
const FILES: [file: string, pattern: RegExp][] = [
  ['Dockerfile', /^(?:ENV| {3}) ([A-Z_]+)=/gm],
  ['systemd/fan-api.service', /(?<=^Environment=.*)\b([A-Z_]+)=/gm],
  ['systemd/fan-api.service', /^LoadCredential=([A-Z_]+):/gm],
  ['kubernetes/example/kustomization.yaml', /^ +- ([A-Z_]+)=/gm],
  ['kubernetes/base/deployment.yaml', /name: ([A-Z_]+)[, ]/g],
  ['kubernetes/base/migration.yaml', /name: ([A-Z_]+), value/gm],
];

describe('deploy/', () => {
  it.each(FILES)('%s: sets only variables that exist, because the start refuses others', (file, pattern) => {
    const set = [...read(file).matchAll(pattern)].map(([, name = '']) => name);
    expect(set.length).toBeGreaterThan(0);
    expect(set.filter((name) => !isSetting(name) && !OTHERS.has(name))).toEqual([]);
  });

  it('the example of Kubernetes, with its secrets, is a production configuration', async () => {
    const pairs = [...read('kubernetes/example/kustomization.yaml').matchAll(/^ +- ([A-Z_]+)=(.*)$/gm)];
    const folder = await testFolder();
    const secrets = {
      DATABASE_URL: 'postgres://fan_api:secret@db.example/fan_api?sslmode=verify-full',
      KEY_ENCRYPTION_KEY: '0'.repeat(64),
      TWILIO_API_KEY_SECRET: '0'.repeat(32),
      STAFF_OIDC_CLIENT_SECRET: 'secret',
    };
    for (const [name, value] of Object.entries(secrets)) await writeFile(join(folder, name), value);
    const config = readConfig({
      NODE_ENV: 'production',
      ...Object.fromEntries(
        pairs.map(([, name = '', value = '']) => [name, value.replace('/etc/fan-api/secrets', folder)]),
      ),
    });
    expect(config.production).toBe(true);
    for (const workload of ['deployment', 'migration']) {
      expect(read(`kubernetes/base/${workload}.yaml`)).toContain('name: secrets, mountPath: /etc/fan-api/secrets,');
    }
  });

  it('.env.example, with its secrets, is a production configuration', () => {
    const example = parseEnv(read('../.env.example'));
    const secrets = { KEY_ENCRYPTION_KEY: '0'.repeat(64), TWILIO_API_KEY_SECRET: '0'.repeat(32) };
    expect(readConfig({ ...example, ...secrets }).production).toBe(true);
  });

  it('D-255: what starts the service gives V8 the same flags everywhere; workers inherit them', () => {
    const { scripts } = JSON.parse(read('../package.json')) as { scripts: { start: string } };
    const flags = /exec node (--.*) adapters\/process\/main\.ts$/.exec(scripts.start)?.[1]?.split(' ');
    expect(flags).toEqual([
      expect.stringMatching(/^--max-semi-space-size=\d+$/),
      expect.stringMatching(/^--heap-growing-percent=\d+$/),
    ]);
    const command: string[] = JSON.parse(/^CMD (\[.*main\.ts"\])$/m.exec(read('Dockerfile'))?.[1] ?? '[]');
    expect(command.slice(1, -1)).toEqual(flags);
    const [, compiling] = /node (--.*) deploy\/compile\.ts/.exec(read('Dockerfile')) ?? [];
    expect(compiling?.split(' ')).toEqual(flags);
    const [, unit] = /^ExecStart=\S+ (.*) adapters\/process\/main\.ts$/m.exec(read('systemd/fan-api.service')) ?? [];
    expect(unit?.split(' ')).toEqual(flags);
  });

  it('every alert has a case that it fires in', () => {
    const alerts = [...read('prometheus/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const cases = [...read('prometheus/alerts.test.yaml').matchAll(/^ +alertname: (\w+)\n +exp_alerts:$/gm)];
    expect(alerts.length).toBeGreaterThan(20);
    expect(new Set(cases.map(([, name]) => name))).toEqual(new Set(alerts));
  });

  it('every supervisor waits longer than SHUTDOWN_TIMEOUT before it kills', () => {
    const { shutdownTimeout } = readConfig({});
    const seconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);
    expect(seconds(read('systemd/fan-api.service'), /^TimeoutStopSec=(\d+)/m)).toBeGreaterThan(shutdownTimeout + 5);
    expect(
      seconds(read('compose/compose.yaml'), /fan-api:[\s\S]*?stop_grace_period: (\d+)s\n\n {2}proxy/),
    ).toBeGreaterThan(shutdownTimeout + 5);
    const deployment = read('kubernetes/base/deployment.yaml');
    const preStop = seconds(deployment, /sleep: \{ seconds: (\d+) \}/);
    expect(seconds(deployment, /terminationGracePeriodSeconds: (\d+)/)).toBeGreaterThan(preStop + shutdownTimeout + 5);
  });
});
