import { createSecretKey } from 'node:crypto';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { deriveKeys } from '../../../src/keys/seal.ts';
import { createLogProvider } from '../../../src/verification/log-provider.ts';

const secrets = deriveKeys(createSecretKey(Buffer.alloc(32, 1)));
const PHONE = '+12025550142';

let lines: Record<string, unknown>[];
let provider: ReturnType<typeof createLogProvider>;
beforeEach(() => {
  lines = [];
  provider = createLogProvider({ log: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }), secrets });
});

async function sent() {
  const reference = await provider.send(PHONE);
  return { reference, code: String(lines.at(-1)?.code) };
}

describe('the development provider', () => {
  it('writes six digits to the log, and the right code is right', async () => {
    const { reference, code } = await sent();
    expect(code).toMatch(/^\d{6}$/);
    expect(lines.at(-1)?.phone).toBe(PHONE);
    expect(await provider.check(PHONE, reference, code)).toBe(true);
  });

  it('stores no code in clear and none that a plain hash gives away', async () => {
    const { reference, code } = await sent();
    expect(reference).not.toContain(code);
    const other = createLogProvider({
      log: pino({ level: 'silent' }),
      secrets: deriveKeys(createSecretKey(Buffer.alloc(32, 2))),
    });
    expect(await other.check(PHONE, reference, code)).toBe(false);
  });

  it.each([
    ['another code', PHONE, (code: string) => (code === '000000' ? '000001' : '000000')],
    ['another number', '+12025550143', (code: string) => code],
    ['an empty code', PHONE, () => ''],
  ])('%s is wrong', async (_, phone, bend) => {
    const { reference, code } = await sent();
    expect(await provider.check(phone, reference, bend(code))).toBe(false);
  });

  it('a reference of another length is wrong and no error', async () => {
    const { code } = await sent();
    expect(await provider.check(PHONE, 'short', code)).toBe(false);
  });

  it('sends a new code each time', async () => {
    const codes = new Set<string>();
    for (let i = 0; i < 20; i++) codes.add((await sent()).code);
    expect(codes.size).toBeGreaterThan(15);
  });

  it('says that it is not for real fans', () => {
    expect(provider).toMatchObject({ name: 'log', forProduction: false });
  });
});
