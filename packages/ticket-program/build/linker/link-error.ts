export type LinkErrorCode =
  | 'not_an_object'
  | 'no_symbols'
  | 'no_code'
  | 'no_entry'
  | 'mutable_global'
  | 'unknown_relocation'
  | 'unloaded_symbol'
  | 'unsupported_instruction';

/** An object that cannot become a program. Seen only by whoever builds the program, never by the service. */
export class LinkError extends Error {
  readonly code: LinkErrorCode;

  constructor(code: LinkErrorCode, detail: string) {
    super(detail);
    this.name = 'LinkError';
    this.code = code;
  }
}
