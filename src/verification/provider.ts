/**
 * The port to whoever sends codes to real phones and checks them. Sandbox never reaches it. An implementation is bound to
 * one account; it has its own time limit and throws `DomainError('verification_unavailable')` when it can't answer.
 */
export interface VerificationProvider {
  /** For logs and start-up checks. */
  readonly name: string;
  /** Whether it may serve real fans. */
  readonly forProduction: boolean;
  /** Sends a code. @param phone E.164 @returns a reference to give back to `check`; it is stored */
  send(phone: string): Promise<string>;
  /** Whether this is the code that was sent under the reference. */
  check(phone: string, reference: string, code: string): Promise<boolean>;
}

/** The part of a context that sends codes and checks them. */
export interface WithVerification {
  verification: VerificationProvider;
}
