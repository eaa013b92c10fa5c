/** The rule of the wire format that a transaction breaks. */
export type WireErrorCode =
  | 'too_large'
  | 'version_one'
  | 'version_unknown'
  | 'shortvec'
  | 'truncated'
  | 'trailing_bytes'
  | 'signature_count'
  | 'header'
  | 'account_limit'
  | 'duplicate_key'
  | 'empty_lookup'
  | 'index_out_of_bounds';

/** Bytes that are not a valid transaction. `message` is complete in itself. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly code: WireErrorCode;
  /** What was found, for a caller that states the rule itself. */
  readonly detail: string | undefined;

  constructor(code: WireErrorCode, message: string, detail?: string) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}
