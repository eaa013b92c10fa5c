import { claims } from './claims.ts';
import { exchange } from './exchange.ts';
import { listings } from './listings.ts';
import type { Path } from './path.ts';
import { refresh } from './refresh.ts';
import { tickets } from './tickets.ts';
import { userinfo } from './userinfo.ts';

export const PATHS = { exchange, refresh, userinfo, tickets, listings, claims } satisfies Record<string, Path>;

export type PathName = keyof typeof PATHS;

export const PATH_NAMES = Object.keys(PATHS) as PathName[];

export function isPathName(name: string): name is PathName {
  return name in PATHS;
}

export function pathOf(name: PathName): Path {
  return PATHS[name];
}
