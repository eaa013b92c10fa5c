/** Why an import can't go on for now; the message is for its caller. What was done stays done. */
export class ImportStop extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ImportStop';
  }
}
