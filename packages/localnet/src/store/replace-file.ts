import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes `text` to `path` so that a reader finds the old content or the new, never a part, even after a crash or a power
 * cut: temporary file, fsync, rename, fsync of the folder.
 */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

function syncFolder(path: string): void {
  // Windows cannot open a folder; there the rename is as durable as the system makes it.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
