import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

/** As it is written: `fetch` would tidy the path up first. */
function rawGet(path: string) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(app.origin);
    const call = request({ hostname, port, path }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode, text });
    });
    call.on('error', reject).end();
  });
}

describe('the hosted login page', () => {
  it.each(['/login', '/login/', '/login?session_id=sess_x&client_name=%3Cscript%3E'])(
    '%s is a page that no other site can frame, script or read, and that is not stored',
    async (path) => {
      const answer = await fetch(app.origin + path);
      const html = await answer.text();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      const policy = answer.headers.get('content-security-policy')?.split('; ');
      expect(policy).toEqual(
        expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]),
      );
      expect(policy?.join()).not.toContain('unsafe');
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/);
    },
  );

  it('its scripts and styles are served to be kept for a year', async () => {
    const html = await (await fetch(`${app.origin}/login`)).text();
    const assets = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((match) => match[1]);
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      const answer = await fetch(`${app.origin}/login/${asset}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('max-age=31536000,immutable');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each([
    '/login/assets/../../../../package.json',
    '/login/assets/..%2f..%2f..%2f..%2f..%2fpackage.json',
    '/login/assets/%2e%2e%2f%2e%2e%2fapp.tsx',
    '/login/assets/..\\..\\app.tsx',
    '/login/assets/%00',
    '/login/assets/.built-from',
    '/login/assets/nothing.js',
    '/login/assets/',
  ])('nothing else can be had by way of its assets: %s', async (path) => {
    const { status, text } = await rawGet(path);
    expect([400, 403, 404]).toContain(status);
    expect(text).not.toContain('fan-api');
    expect(text).not.toMatch(/adapters\/login|node_modules/);
  });
});
