/** What a process that a test starts needs of this one's environment; its modules are compiled once for all of the run. */
export const CHILD_ENV = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
