/** Looks for a secret in a log, in every form in which a library may have written it. */
export function formsFound(log: string, secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms: Record<string, boolean> = {
    text: log.includes(secret),
    hex: log.toLowerCase().includes(bytes.toString('hex')),
    'byte array': byteArray(bytes).test(log),
    base64: base64Parts(bytes).some((part) => log.includes(part)),
    base64url: base64Parts(bytes).some((part) => log.includes(part.replaceAll('+', '-').replaceAll('/', '_'))),
  };
  return Object.keys(forms).filter((form) => forms[form]);
}

/** `[115,101]`, `115, 101` and `"0":115,"1":101` alike. */
function byteArray(bytes: Buffer): RegExp {
  return new RegExp([...bytes].map((byte) => `\\b${byte}\\b`).join('\\s*,\\s*(?:"\\d+":)?'));
}

/** What stays the same of the base64, whichever of three places of a group the secret begins at. */
function base64Parts(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const end = Math.floor((before + bytes.length) / 3) * 4;
    return whole.slice(before === 0 ? 0 : 4, end);
  });
}
