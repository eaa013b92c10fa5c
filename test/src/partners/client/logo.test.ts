import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { ClientLogo } from '../../../../src/entities/client.ts';
import { removeClientLogo, setClientLogo } from '../../../../src/partners/client/client-logo.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { MAX_LOGO_BYTES, readImageHeader } from '../../../../src/platform/image/logo-image.ts';
import { makeClient } from '../../../support/make-client.ts';
import { refused } from '../../../support/refused.ts';
import { askAs, newStaff } from '../../../support/staff-call.ts';
import { testApp } from '../../../support/test-app.ts';
import { IMAGES, png } from './logo-images.ts';
import { ANN, BOB, clientAt, EVE, readClient, step } from './production-client.ts';

const app = await testApp();

const set = (clientId: string, image: Buffer, actor = ANN) =>
  setClientLogo(app.context(), clientId, image.toString('base64'), actor);
const remove = (clientId: string) => removeClientLogo(app.context(), clientId, ANN);
const hashOf = (image: Buffer) => createHash('sha256').update(image).digest('base64url');
const logoOf = (clientId: string) =>
  app.context().em.findOne(ClientLogo, { client: knownId('client', clientId) }, { populate: ['image'] });
const entriesOf = (clientId: string) =>
  app.context().em.find(AuditEntry, { subject: clientId, action: /^client\.logo/ }, { orderBy: { id: 'asc' } });

describe('setting a logo', () => {
  it.each([
    ['jpeg', IMAGES.jpeg, 'jpeg'],
    ['lossy WebP', IMAGES.webpLossy, 'webp'],
    ['lossless WebP', IMAGES.webpLossless, 'webp'],
    ['extended WebP', IMAGES.webpExtended, 'webp'],
  ])('a %s is known by its bytes, and kept as it came', async (_, base64, kind) => {
    const clientId = await makeClient(app);
    await setClientLogo(app.context(), clientId, base64, ANN);
    const image = Buffer.from(base64, 'base64');
    expect(await logoOf(clientId)).toMatchObject({ kind, width: 64, height: 48, size: image.length, image });
  });

  it('takes the place of the one before; each change is on record by its hash, and never the picture', async () => {
    const client = await readClient(app, await makeClient(app));
    const [first, second] = [png(), png({ colour: [0, 0, 255] })];
    await set(client.id, first);
    const changed = await set(client.id, second, EVE);
    expect(changed.version).toBe(client.version + 2);
    expect(await logoOf(client.id)).toMatchObject({ kind: 'png', hash: hashOf(second), image: second });
    await remove(client.id);
    expect(await logoOf(client.id)).toBeNull();
    const told = (await entriesOf(client.id)).map(({ action, actor, details }) => [action, actor, details]);
    const change = (before: string | null, after: string | null) => ({
      before: { logo: before },
      after: { logo: after },
    });
    expect(told).toEqual([
      ['client.logo_set', ANN, change(null, hashOf(first))],
      ['client.logo_set', EVE, change(hashOf(first), hashOf(second))],
      ['client.logo_removed', ANN, change(hashOf(second), null)],
    ]);
  });

  it('that is there already, or removing where none is, changes nothing and is not put on record', async () => {
    const clientId = await makeClient(app);
    const { version } = await set(clientId, png());
    expect((await set(clientId, png())).version).toBe(version);
    await remove(clientId);
    await remove(clientId);
    expect(await readClient(app, clientId)).toMatchObject({ version: version + 1 });
    expect(await entriesOf(clientId)).toHaveLength(2);
  });

  it('twice at once leaves one, and a record in which each follows on the other', async () => {
    const clientId = await makeClient(app);
    const images = [1, 2, 3, 4].map((blue) => png({ colour: [0, 0, blue] }));
    await Promise.all(images.map((image) => set(clientId, image)));
    const details = (await entriesOf(clientId)).map(
      (entry) => entry.details as Record<string, { logo: string | null }>,
    );
    expect(details).toHaveLength(4);
    const befores = details.map(({ before }) => before?.logo);
    const afters = details.map(({ after }) => after?.logo);
    const last = (await logoOf(clientId))?.hash;
    expect(new Set(befores)).toEqual(new Set([null, ...afters.filter((hash) => hash !== last)]));
  });
});

describe('what is refused as a logo', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64');
  const cut = (image: Buffer) => image.subarray(0, -1);
  const extended = (image: Buffer) => Buffer.concat([image, Buffer.from('<script>alert(1)</script>')]);
  const [jpeg, webp] = [Buffer.from(IMAGES.jpeg, 'base64'), Buffer.from(IMAGES.webpLossy, 'base64')];

  test.each([
    ['nothing', Buffer.alloc(0), 'must be base64'],
    ['an SVG', svg, 'must be a PNG, JPEG or WebP'],
    ['a GIF', gif, 'must be a PNG, JPEG or WebP'],
    ['a page that begins like a PNG', Buffer.concat([png().subarray(0, 8), svg]), 'must be a PNG, JPEG or WebP'],
    ['the first bytes of a PNG', png().subarray(0, 20), 'must be a PNG, JPEG or WebP'],
    ['the first bytes of a JPEG', jpeg.subarray(0, 30), 'must be a PNG, JPEG or WebP'],
    ['the first bytes of a WebP', webp.subarray(0, 24), 'must be a PNG, JPEG or WebP'],
    ['a PNG that is cut off', cut(png()), 'is cut off'],
    ['a JPEG that is cut off', cut(jpeg), 'is cut off'],
    ['a WebP that is cut off', cut(webp), 'is cut off'],
    ['a PNG with a script behind it', extended(png()), 'something behind its end'],
    ['a JPEG with a script behind it', extended(jpeg), 'something behind its end'],
    ['a WebP with a script behind it', extended(webp), 'something behind its end'],
    ['an animated PNG', png({ isAnimated: true }), 'must not be animated'],
    ['an animated WebP', Buffer.from(IMAGES.webpAnimated, 'base64'), 'must not be animated'],
    ['a narrow one', png({ width: 31 }), 'has 31 × 64 pixels; each side must have 32 to 1024'],
    ['a high one', png({ height: 1025 }), 'has 64 × 1025 pixels'],
    ['one of more than 32 KiB', png({ padding: MAX_LOGO_BYTES }), 'bytes; 32,768 are allowed'],
  ])('%s', async (_, image, why) => {
    const clientId = await makeClient(app);
    await expect(set(clientId, image)).rejects.toEqual(refused('invalid_request', why));
    expect(await logoOf(clientId)).toBeNull();
  });

  test('a text that is no base64', async () => {
    const base64 = png().toString('base64');
    for (const text of ['', 'x', `data:image/png;base64,${base64}`, `${base64}\n`, base64.slice(0, -1)]) {
      await expect(setClientLogo(app.context(), app.kit.client_id, text, ANN)).rejects.toThrow('must be base64');
    }
  });

  test('whatever the bytes are, they are judged quickly and without a fault of ours', () => {
    const before = process.cpuUsage();
    for (const image of [png(), jpeg, webp, Buffer.from(IMAGES.webpExtended, 'base64')]) {
      for (let at = 0; at < image.length; at += 1) {
        for (const value of [0, 1, 0x7f, 0xff]) {
          const bent = Buffer.from(image);
          bent[at] = value;
          readImageHeader(bent);
          readImageHeader(bent.subarray(0, at));
        }
      }
    }
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });
});

it('a logo that changes in review must have been seen by who approves, and not be of their own choice', async () => {
  const { id, version } = await clientAt(app, 'in_review');
  const changed = await set(id, png(), BOB);
  const approve = (seen: number, actor: string) => step(app, 'approve', id, actor, { version: seen });
  await expect(approve(version, EVE)).rejects.toEqual(refused('stale_edit'));
  await expect(approve(changed.version, BOB)).rejects.toEqual(refused('forbidden'));
  expect(await approve(changed.version, EVE)).toMatchObject({ status: 'approved' });
  expect(await set(id, png({ width: 40 }))).toMatchObject({ status: 'approved', version: changed.version + 2 });
});

it('through GraphQL a logo is set and removed, and a bad one refused as a value', async () => {
  const [staff, id, image] = [await newStaff(app, 'support'), await makeClient(app), png()];
  const answer = '{ ... on Client { logo { kind width height size url dataUrl setAt } } ... on Refusal { code } }';
  const set = `mutation ($base64: String!) { setClientLogo(clientId: "${id}", base64: $base64) ${answer} }`;
  const base64 = image.toString('base64');
  expect(await askAs(app, staff, set, { base64 })).toEqual({
    logo: {
      kind: 'PNG',
      width: 64,
      height: 64,
      size: image.length,
      url: `${app.config.loginUrl}/logos/${id}/${hashOf(image).slice(0, 16)}`,
      dataUrl: `data:image/png;base64,${base64}`,
      setAt: expect.anything(),
    },
  });
  expect(await askAs(app, staff, set, { base64: 'AAAA' })).toEqual({ code: 'invalid_request' });
  expect(await askAs(app, staff, `mutation { removeClientLogo(clientId: "${id}") ${answer} }`)).toEqual({ logo: null });
});
