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
    tests: ['test/cosign-policy', 'test/src/listing', 'test/src/claim'],
    isPure: true,
  },
  claim: { code: 'src/claim', tests: ['test/src/claim', 'test/adapters/fan'] },
  token: { code: 'src/token', tests: ['test/src/token', 'test/adapters/oauth', 'test/races'] },
  grant: { code: 'src/grant', tests: ['test/src/grant', 'test/src/consent', 'test/adapters/fan'] },
};
