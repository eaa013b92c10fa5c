import { createServer } from 'node:net';
import pino from 'pino';
import { afterEach, expect, it } from 'vitest';
import { createSmtpSender } from '../../../../src/platform/mail/smtp-sender.ts';
import { listen } from '../../../support/listen.ts';
import { type MailServer, startMailServer, textOf } from '../../../support/mail-server.ts';

const MAIL = { to: 'mia@partner.example', subject: 'Grüße', text: 'Hello Mia,\n\nhttps://example.com/a?b=c\n' };
const from = 'tickets@example.com';
const log = pino({ level: 'silent' });

let running: MailServer | undefined;
afterEach(() => running?.stop());

async function sender(
  options: Parameters<typeof startMailServer>[0],
  settings: { production?: boolean; url?: string } = {},
) {
  running = await startMailServer(options);
  const url = (settings.url ?? 'smtp://127.0.0.1:PORT').replace('PORT', String(running.port));
  return createSmtpSender({ url, from, log, production: settings.production ?? false, timeLimit: 2_000 });
}

it('sends a plain text with the sender, as it was written', async () => {
  await (await sender({})).send(MAIL);
  expect(running?.mails).toMatchObject([{ from, to: [MAIL.to] }]);
  expect(running?.mails[0] && textOf(running.mails[0]).replaceAll('\r\n', '\n').trim()).toBe(MAIL.text.trim());
});

it('signs in with the user and password of the address', async () => {
  const seen: unknown[] = [];
  const smtp = await sender(
    {
      authOptional: false,
      onAuth(auth, _session, done) {
        seen.push([auth.username, auth.password]);
        done(null, { user: 'us er' });
      },
      allowInsecureAuth: true,
    },
    { url: 'smtp://us%20er:p%40ss@127.0.0.1:PORT' },
  );
  await smtp.send(MAIL);
  expect(seen).toEqual([['us er', 'p@ss']]);
});

it('sends nothing without TLS in production, nor over a certificate that is nobody’s', async () => {
  await expect((await sender({}, { production: true })).send(MAIL)).rejects.toMatchObject({ code: 'unavailable' });
  expect(running?.mails).toEqual([]);
  await running?.stop();
  const smtp = await sender({ hideSTARTTLS: false }, { production: true });
  await expect(smtp.send(MAIL)).rejects.toMatchObject({ code: 'unavailable' });
  expect(running?.mails).toEqual([]);
});

it('gives up a server that says nothing', async () => {
  const { port, stop } = await listen(createServer());
  const url = `smtp://127.0.0.1:${port}`;
  const started = performance.now();
  const smtp = createSmtpSender({ url, from, log, production: false, timeLimit: 300 });
  await expect(smtp.send(MAIL)).rejects.toMatchObject({ code: 'unavailable' });
  expect(performance.now() - started).toBeLessThan(2_000);
  await stop();
});

it('takes an address as one, whatever is in it', async () => {
  const smtp = await sender({});
  await smtp.send({ ...MAIL, to: 'mia@partner.example, eve@evil.example' }).catch(() => undefined);
  expect(running?.mails.flatMap(({ to }) => to)).not.toContain('eve@evil.example');
});
