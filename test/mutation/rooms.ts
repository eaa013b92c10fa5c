/** A part of the code that decides, and the folders of the tests that must notice a fault in it. */
export interface Room {
  /** Folder from the root of the project. */
  code: string;
  tests: readonly string[];
  /** Whether tests that start the service, a VM or a fuzzer are left out: the room is pure, and they would take seconds for each fault. */
  isPure?: boolean;
}

export const ROOMS: Readonly<Record<string, Room>> = {
  'cosign-policy': {
    code: 'packages/cosign-policy/src',
    tests: ['test/cosign-policy', 'test/src/chain/transaction', 'test/src/tickets/listing', 'test/src/tickets/claim'],
    isPure: true,
  },
  claim: {
    code: 'src/tickets/claim',
    tests: ['test/src/tickets/claim', 'test/src/tickets/ticket', 'test/adapters/partner-api/fan'],
  },
  token: {
    code: 'src/oauth/token',
    tests: ['test/src/oauth/token', 'test/src/keys', 'test/adapters/partner-api/oauth', 'test/races'],
  },
  grant: {
    code: 'src/oauth/grant',
    tests: [
      'test/src/oauth/grant',
      'test/src/oauth/token',
      'test/src/sign-in/consent',
      'test/src/sign-in/fan',
      'test/adapters/partner-api/fan',
      'test/adapters/fan-pages/portal',
    ],
  },
};
