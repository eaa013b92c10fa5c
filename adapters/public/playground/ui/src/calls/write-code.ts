import type { CallRequest } from './call.ts';

/** The request as a command for a POSIX shell. */
export function asCurl({ method, url, headers, body }: CallRequest): string {
  const parts = [`curl -i ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`--data-raw ${quoted(body)}`);
  return parts.join(' \\\n  ');
}

/** In single quotes nothing is special but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The request as TypeScript, for `fetch`. */
export function asTypeScript({ method, url, headers, body }: CallRequest): string {
  const lines = [`const response = await fetch(${literal(url)}, {`, `  method: ${literal(method)},`];
  if (Object.keys(headers).length > 0) {
    lines.push('  headers: {');
    for (const [name, value] of Object.entries(headers)) lines.push(`    ${literal(name)}: ${literal(value)},`);
    lines.push('  },');
  }
  if (body !== undefined) lines.push(`  body: ${bodyCode(body, headers)},`);
  lines.push('});', 'console.log(response.status, await response.text());', '');
  return lines.join('\n');
}

/** A form stays a list of its fields, and JSON an object; other bodies are copied as they are. */
function bodyCode(body: string, headers: Record<string, string>): string {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) {
    const fields = [...new URLSearchParams(body)];
    if (new URLSearchParams(fields).toString() === body) {
      return `new URLSearchParams([\n${fields.map(([name, value]) => `    [${literal(name)}, ${literal(value)}],\n`).join('')}  ])`;
    }
  }
  try {
    const value: unknown = JSON.parse(body);
    if (JSON.stringify(value) === body)
      return `JSON.stringify(${JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')})`;
  } catch {
    // sent as it is
  }
  return literal(body);
}

function literal(text: string): string {
  return JSON.stringify(text);
}
