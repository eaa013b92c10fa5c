/**
 * Port for sending codes to real phones and checking them; sandbox never uses it. An implementation has its own time limit
 * and throws `DomainError('verification_unavailable')` when it can't answer.
 */
export interface VerificationProvider {
  /** For logs and start-up checks. */
  readonly name: string;
  readonly forProduction: boolean;
  /** @param phone E.164 @returns the reference for `check` */
  send(phone: string): Promise<string>;
  check(phone: string, reference: string, code: string): Promise<boolean>;
}

export interface WithVerification {
  verification: VerificationProvider;
}
