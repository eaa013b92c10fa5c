/** The part of Stryker that `npm run test:mutants` uses. It has types, but only that command installs it. */
declare module '@stryker-mutator/core' {
  interface MutantResult {
    status: string;
    fileName: string;
    location: { start: { line: number; column: number } };
    mutatorName: string;
    replacement: string;
  }
  export class Stryker {
    constructor(options: object);
    runMutationTest(): Promise<MutantResult[]>;
  }
}
