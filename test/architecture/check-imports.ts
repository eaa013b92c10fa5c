import { dirname, join, normalize, relative } from 'node:path';
import { CONTEXTS, PACKAGES } from './floors.ts';

/** A source file as the rules of the house see it. */
export interface SourceFile {
  /** From the root of the project, with slashes. */
  path: string;
  text: string;
}

const ROOMS = ['src', 'schema', 'adapters', 'admin-ui', 'packages', 'test'] as const;
type Room = (typeof ROOMS)[number];

/** Which rooms a room may import by path. Tests may import everything; nobody imports tests. */
const MAY_IMPORT: Record<Room, readonly Room[]> = {
  src: ['src'],
  schema: ['src', 'schema'],
  adapters: ['src', 'schema', 'adapters'],
  'admin-ui': ['admin-ui'],
  packages: ['packages'],
  test: ROOMS,
};
/** The package that runs the service for partners' tests, and so imports what serves. */
const SANDBOX = 'packages/sandbox/';
const PACKAGE_NAME = /^@fan-api\/([^/]+)/;
/** Rules of `src` that pages apply while somebody types. They import nothing, so that no page carries more of `src`. */
const FOR_PAGES = ['src/partners/scope-table.ts', 'src/platform/current-phone-form.ts', 'src/platform/plain-digits.ts'];
/** The one file that loads the local network, with a dynamic import. */
const LOADS_LOCALNET = 'adapters/process/open-localnet.ts';
const FOREIGN_TO_SRC = /^(@?koa\b|@koa\/|@trpc\/|graphql\b|@pothos\/|react\b|react-dom\b|@types\/react|preact\b)/;
const FORBIDDEN_FOLDERS = new Set(['utils', 'util', 'helpers', 'common', 'lib', 'shared', 'types']);
/** Beyond 300 lines a file should be asked whether it has one subject. This is where it is refused. */
const MAX_LINES = 800;

/** Every way in which a file breaks the rules of the house: imports, barrels, folder names, lengths. */
export function faultsOf(file: SourceFile): string[] {
  return [...importFaults(file), ...barrelFaults(file), ...folderFaults(file), ...lengthFaults(file)].map(
    (fault) => `${file.path}: ${fault}`,
  );
}

interface Import {
  specifier: string;
  typeOnly: boolean;
  /** `import(...)`. */
  dynamic: boolean;
}

const STATEMENT = /^\s*(?:import|export)\s+(?<type>type\s)?(?:[^'";]*?\sfrom\s*)?['"](?<from>[^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"](?<from>[^'"]+)['"]\s*\)/g;

/** The modules that a text imports or re-exports, with whether types alone come over. */
export function importsOf(text: string): Import[] {
  const statements = [...text.matchAll(STATEMENT)].map(({ groups }) => ({
    specifier: groups?.from ?? '',
    typeOnly: groups?.type !== undefined,
    dynamic: false,
  }));
  const dynamic = [...text.matchAll(DYNAMIC)].map(({ groups }) => ({
    specifier: groups?.from ?? '',
    typeOnly: false,
    dynamic: true,
  }));
  return [...statements, ...dynamic];
}

function importFaults({ path, text }: SourceFile): string[] {
  const room = roomOf(path);
  if (FOR_PAGES.includes(path)) return importsOf(text).map(({ specifier }) => `for pages, imports ${specifier}`);
  return importsOf(text).flatMap(({ specifier, typeOnly, dynamic }) => {
    const packageName = PACKAGE_NAME.exec(specifier)?.[1];
    if (packageName !== undefined) {
      const mayLoad = typeOnly || (dynamic && path === LOADS_LOCALNET);
      return mayImportPackage(path, packageName, mayLoad) ? [] : [`imports ${specifier}`];
    }
    if (!specifier.startsWith('.')) {
      return room === 'src' && FOREIGN_TO_SRC.test(specifier) ? [`src imports no ${specifier}`] : [];
    }
    const target = normalize(join(dirname(path), specifier));
    const targetRoom = roomOf(target);
    if (room === undefined || targetRoom === undefined) return [];
    if (!mayImportRoom(path, room, target, targetRoom)) return [`${room} imports ${targetRoom} (${specifier})`];
    if (room === 'src' && !mayStandOn(path, target))
      return [`${contextOf(path)} imports ${contextOf(target)} (${specifier})`];
    if (packageOf(path) !== packageOf(target) && room === 'packages' && targetRoom === 'packages')
      return [`a package imports ${target}`];
    if (isPage(path) && targetRoom === 'src' && !typeOnly && !FOR_PAGES.includes(target))
      return [`a page imports more than types of src (${specifier})`];
    return [];
  });
}

/** Below `admin-ui` two consoles stand beside each other on one kit. */
function mayImportRoom(path: string, room: Room, target: string, targetRoom: Room): boolean {
  if (path.startsWith(SANDBOX)) return ['src', 'adapters', 'packages'].includes(targetRoom);
  if (room !== 'admin-ui' || targetRoom !== 'admin-ui') return MAY_IMPORT[room].includes(targetRoom);
  const [console, other] = [path.split('/')[1], target.split('/')[1]];
  return other === console || other === 'kit';
}

function barrelFaults({ text }: SourceFile): string[] {
  return /^\s*export\s+\*/m.test(text) ? ['a barrel (export *)'] : [];
}

function folderFaults({ path }: SourceFile): string[] {
  return dirname(path)
    .split('/')
    .filter((folder) => FORBIDDEN_FOLDERS.has(folder))
    .map((folder) => `a folder called ${folder}`);
}

function lengthFaults({ path, text }: SourceFile): string[] {
  if (text.startsWith('// Generated from ') || path.endsWith('graphql-env.d.ts')) return [];
  const lines = text.trimEnd().split('\n').length;
  return lines > MAX_LINES ? [`${lines} lines, ${MAX_LINES} at most`] : [];
}

/** A package imports those before it. Production code imports the local network only where it is loaded on demand. */
function mayImportPackage(path: string, name: string, mayLoadLocalnet: boolean): boolean {
  const room = roomOf(path);
  if (room === 'test') return true;
  if (room === 'packages') {
    const importer = packageOf(path) ?? '';
    return isPackageTest(path) || PACKAGES.indexOf(name) < PACKAGES.indexOf(importer);
  }
  return name !== 'localnet' || mayLoadLocalnet;
}

function packageOf(path: string): string | undefined {
  return path.startsWith('packages/') ? path.split('/')[1] : undefined;
}

function isPackageTest(path: string): boolean {
  return path.split('/')[2] === 'test';
}

/** Code that runs in a browser. */
function isPage(path: string): boolean {
  return /^adapters\/(?:[^/]+\/[^/]+\/ui|fan-pages\/page-kit)\//.test(path);
}

/** Whether a file of `src` may import another one: of the same context, or of one before it. */
function mayStandOn(path: string, target: string): boolean {
  const [context, other] = [contextOf(path), contextOf(target)];
  return context === other || CONTEXTS.slice(0, Math.max(0, CONTEXTS.indexOf(context))).includes(other);
}

/** The folder below `src`, or the file that stands there by itself. */
function contextOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/**
 * The circles of imports between the rooms of a context: its folders, and the files beside them.
 *
 * @returns the rooms of each circle, the first one again at the end
 */
export function circlesOf(files: readonly SourceFile[]): string[][] {
  const inSrc = files.filter(({ path }) => roomOf(path) === 'src');
  const isInside = (path: string, target: string) => contextOf(target) === contextOf(path);
  return circlesIn(arrowsOf(inSrc, partOfContext, isInside));
}

/** The circles of imports between files, types included. Those of `schema` may: GraphQL types refer to each other. */
export function fileCirclesOf(files: readonly SourceFile[]): string[][] {
  const judged = files.filter(({ path }) => !['schema', 'test'].includes(roomOf(path) ?? ''));
  return circlesIn(arrowsOf(judged, (path) => path));
}

/** What each place imports; `placeOf` says in which place a file is. */
function arrowsOf(
  files: readonly SourceFile[],
  placeOf: (path: string) => string,
  counts: (path: string, target: string) => boolean = () => true,
): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const place = placeOf(path);
    const targets = importsOf(text)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => normalize(join(dirname(path), specifier)))
      .filter((target) => counts(path, target) && placeOf(target) !== place);
    for (const target of targets) arrows.set(place, (arrows.get(place) ?? new Set()).add(placeOf(target)));
  }
  return arrows;
}

function circlesIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const done = new Set<string>();
  const follow = (place: string, way: string[]): string[][] => {
    if (way.includes(place)) return [[...way.slice(way.indexOf(place)), place]];
    if (done.has(place)) return [];
    const circles = [...(arrows.get(place) ?? [])].flatMap((next) => follow(next, [...way, place]));
    done.add(place);
    return circles;
  };
  return [...arrows.keys()].flatMap((place) => follow(place, []));
}

/** `src/oauth/token/exchange-code.ts` is in the room `src/oauth/token`; a file beside the folders is a room by itself. */
function partOfContext(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

function roomOf(path: string): Room | undefined {
  const [top] = relative('.', path).split('/');
  return ROOMS.find((room) => room === top);
}
