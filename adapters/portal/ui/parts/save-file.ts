/** Lets the browser save a text as a file. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/jwt' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // not at once: the browser reads it a moment later
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
