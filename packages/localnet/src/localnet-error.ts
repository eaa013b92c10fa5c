/** Why a local network did not start. `message` says what to do about it. */
export class LocalnetError extends Error {
  readonly code: 'port_taken' | 'folder_in_use' | 'other_version';

  constructor(code: LocalnetError['code'], message: string) {
    super(message);
    this.name = 'LocalnetError';
    this.code = code;
  }
}
