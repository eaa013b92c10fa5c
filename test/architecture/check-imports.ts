import { dirname, join, normalize, relative } from 'node:path';
import { roomsBelow } from './floors.ts';

/** A source file as the rules of the house see it. */
export interface SourceFile {
  /** From the root of the project, with slashes. */
  path: string;
  text: string;
}

const ROOMS = ['src', 'schema', 'adapters', 'admin-ui', 'test'] as const;
type Room = (typeof ROOMS)[number];

/** Which rooms a room may import. Tests may import everything; nobody imports tests. */
const MAY_IMPORT: Record<Room, readonly Room[]> = {
  src: ['src'],
  schema: ['src', 'schema'],
  adapters: ['src', 'schema', 'adapters'],
  'admin-ui': ['admin-ui'],
  test: ROOMS,
};
const FOREIGN_TO_SRC = /^(@?koa\b|@koa\/|@trpc\/|graphql\b|@pothos\/|react\b|react-dom\b|@types\/react|preact\b)/;
const FORBIDDEN_FOLDERS = new Set(['utils', 'util', 'helpers', 'common', 'lib', 'shared', 'types']);
const MAX_LINES = 400;

/** Every way in which a file breaks the rules of the house: rooms, barrels, folder names, lengths. */
export function faultsOf(file: SourceFile): string[] {
  return [...importFaults(file), ...barrelFaults(file), ...folderFaults(file), ...lengthFaults(file)].map(
    (fault) => `${file.path}: ${fault}`,
  );
}

interface Import {
  specifier: string;
  typeOnly: boolean;
}

const STATEMENT = /^\s*(?:import|export)\s+(?<type>type\s)?(?:[^'";]*?\sfrom\s*)?['"](?<from>[^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"](?<from>[^'"]+)['"]\s*\)/g;

/** The modules that a text imports or re-exports, with whether types alone come over. */
export function importsOf(text: string): Import[] {
  const statements = [...text.matchAll(STATEMENT)].map(({ groups }) => ({
    specifier: groups?.from ?? '',
    typeOnly: groups?.type !== undefined,
  }));
  const dynamic = [...text.matchAll(DYNAMIC)].map(({ groups }) => ({ specifier: groups?.from ?? '', typeOnly: false }));
  return [...statements, ...dynamic];
}

function importFaults({ path, text }: SourceFile): string[] {
  const room = roomOf(path);
  return importsOf(text).flatMap(({ specifier, typeOnly }) => {
    if (!specifier.startsWith('.')) {
      return room === 'src' && FOREIGN_TO_SRC.test(specifier) ? [`src imports no ${specifier}`] : [];
    }
    const target = normalize(join(dirname(path), specifier));
    const targetRoom = roomOf(target);
    if (room === undefined || targetRoom === undefined) return [];
    if (!MAY_IMPORT[room].includes(targetRoom)) return [`${room} imports ${targetRoom} (${specifier})`];
    if (room === 'src' && !mayStandOn(path, target))
      return [`${roomOfSrc(path)} imports ${roomOfSrc(target)} (${specifier})`];
    if (isPage(path) && targetRoom === 'src' && !typeOnly)
      return [`a page imports more than types of src (${specifier})`];
    return [];
  });
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

function lengthFaults({ text }: SourceFile): string[] {
  const lines = text.trimEnd().split('\n').length;
  return lines > MAX_LINES ? [`${lines} lines, ${MAX_LINES} at most`] : [];
}

/** Code that runs in a browser. */
function isPage(path: string): boolean {
  return /^adapters\/(?:[^/]+\/ui|page-kit)\//.test(path);
}

/** Whether a file of `src` may import another one: of the same room, or of one below. */
function mayStandOn(path: string, target: string): boolean {
  const [room, other] = [roomOfSrc(path), roomOfSrc(target)];
  return room === other || roomsBelow(room).has(other);
}

/** The folder below `src`, or the file that stands there by itself. */
function roomOfSrc(path: string): string {
  return path.split('/')[1] ?? '';
}

function roomOf(path: string): Room | undefined {
  const [top] = relative('.', path).split('/');
  return ROOMS.find((room) => room === top);
}
