/** What a sandbox begins with. What is absent is as in the starter kit of a development installation. */
export interface SandboxOptions {
  /** 0 to 4294967295: two sandboxes with the same seed have the same identifiers, phone numbers, codes, wallets and tickets. */
  seed?: number | undefined;
  /** Test users, 1 to 50. */
  users?: number | undefined;
  /** Tickets of each test user, 0 to 100. */
  tickets?: number | undefined;
  /** Of the client, besides the playground's. */
  redirectUris?: string[] | undefined;
  /** Of the client. */
  scopes?: string[] | undefined;
}

/** Where a sandbox is reached that runs as a service, such as in a CI. Without them it has free ports, for this machine only. */
export interface SandboxPlace {
  /** Of the service. The network has the two after it, the control the third. */
  port?: number | undefined;
  /** The name of this machine in the addresses that it prints. Given, it listens on all interfaces. */
  host?: string | undefined;
}

/** The interface to listen on: all of them, where other machines know this one by a name. */
export function interfaceOf({ host }: SandboxPlace): string {
  return host === undefined ? '127.0.0.1' : '0.0.0.0';
}

/** The words of the command for options; it checks them. */
export function wordsOf({ seed, users, tickets, redirectUris = [], scopes }: SandboxOptions): string[] {
  const numbers = Object.entries({ seed, users, tickets }).filter(([, value]) => value !== undefined);
  return [
    ...numbers.map(([name, value]) => `--${name}=${value}`),
    ...redirectUris.map((uri) => `--redirect-uri=${uri}`),
    ...(scopes === undefined ? [] : [`--scopes=${scopes.join(' ')}`]),
  ];
}
