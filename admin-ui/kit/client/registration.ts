/** A client's registration as it is typed. */
export interface Registration {
  name: string;
  mode: 'SANDBOX' | 'PRODUCTION';
  redirectUris: string[];
  scopes: string[];
  loopbackAnyPort: boolean;
  refreshRetryWindow: number;
  privacyUrl: string;
}

/** What an edit needs of a client, as each application reads it. */
export interface EditedClient {
  mode: Registration['mode'];
  version: number;
  updatedAt: string;
  /** What the edit starts from: the registration, or the edit of it that waits for review. */
  registration: Omit<Registration, 'mode'>;
  /** Whether the registration is in force: approved, and changed only by a review. */
  isInForce: boolean;
  /** Whether an edit waits for review beside it. */
  isWaiting: boolean;
}
