import { join } from 'node:path';
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node';

/** Runs tests of a copy of the project again and again, with one PostgreSQL and one transformation of what stays the same. */
export interface TestRunner {
  /** Takes note that a file of the copy has changed. */
  changed(file: string): void;
  /**
   * Runs test files one after the other, up to the first test that fails.
   * @param tests files or folders, from the root
   * @returns the title of that test; undefined where all pass
   */
  firstFailure(tests: readonly string[]): Promise<string | undefined>;
  close(): Promise<void>;
}

/** For a whole file: a fault may hang one. */
const TEST_TIMEOUT_MS = 120_000;

/** How Vite stumbles over a file that changed while it was still being transformed for an earlier run: no test has failed then. */
const STALE = 'should not have existing transform result';

/** @param root of the copy */
export async function openTestRunner(root: string): Promise<TestRunner> {
  process.chdir(root);
  const vitest = await createVitest('test', {
    root,
    config: join(root, 'vitest.config.ts'),
    watch: false,
    bail: 1,
    maxWorkers: 1,
    retry: 0,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    reporters: [{}],
  });

  async function runFile(specification: TestSpecification) {
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
    // the result has the modules of earlier runs too
    const module = testModules.find(({ moduleId }) => moduleId === specification.moduleId);
    if (module === undefined) throw new Error(`${specification.moduleId} was not run`);
    return { module, unhandledErrors };
  }

  async function failureOf(specification: TestSpecification): Promise<string | undefined> {
    let { module, unhandledErrors } = await runFile(specification);
    if (firstError(module).includes(STALE)) {
      for (const environment of Object.values(vitest.vite.environments)) environment.moduleGraph.invalidateAll();
      ({ module, unhandledErrors } = await runFile(specification));
      if (firstError(module).includes(STALE)) throw new Error(firstError(module));
    }
    const [failed] = module.children.allTests('failed');
    if (failed !== undefined) return failed.fullName;
    if (!module.ok()) return `the set-up of ${module.relativeModuleId}: ${firstError(module)}`;
    return unhandledErrors[0] === undefined ? undefined : `an error outside the tests: ${String(unhandledErrors[0])}`;
  }

  return {
    changed: (file) => vitest.invalidateFile(join(root, file)),
    async firstFailure(tests) {
      for (const path of tests) {
        const specifications = await vitest.globTestSpecifications([path]);
        if (specifications.length === 0) throw new Error(`there is no test at ${path}`);
        for (const specification of specifications) {
          const failure = await failureOf(specification);
          if (failure !== undefined) return failure;
        }
      }
      return undefined;
    },
    close: () => vitest.close(),
  };
}

function firstError(module: TestModule): string {
  const suites = [...module.children.allSuites()];
  const [error] = [...module.errors(), ...suites.flatMap((suite) => suite.errors())];
  return error?.message.split('\n')[0] ?? 'no error';
}
