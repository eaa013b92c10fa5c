import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import { inject } from 'vitest';
import { startTestNetwork } from '../../packages/localnet/test/test-network.ts';
import { MIGRATIONS } from '../../src/entities/migrations/all.ts';
import type { TestTicket, User } from '../support/chain-app.ts';
import { asAdmin } from '../support/database.ts';

/**
 * A released version as its operators have it: `database.sql.gz`, made by `pg_dump` of PostgreSQL 15, `chain.sqlite.gz`, the local
 * network that both modes used, and `known.json`, what the partners of the time know.
 *
 * @module
 */

/** What was known when the release was kept. Everything secret in it belongs to test users on a local network. */
export interface Known {
  /** The commit of the release. */
  commit: string;
  /** SHA-256 of the statements of each migration, by name. */
  migrations: Record<string, string>;
  /** RFC 3339. */
  keptAt: string;
  /** `sv_…`, with `inventory:write`. */
  serviceToken: string;
  /** The secret key of the marketplace, which owns SOL and names itself in the listings; base58. */
  marketplace: string;
  sandbox: KnownSale;
  production: KnownSale;
}

/** Two fans of a client: the seller has a ticket that is held, and one on sale. */
export interface KnownSale {
  clientId: string;
  redirectUri: string;
  seller: KnownFan;
  buyer: KnownFan;
  /** Of the seller. */
  refreshToken: string;
  held: TestTicket;
  listed: TestTicket;
}

/** In production the code is empty. */
export type KnownFan = Omit<User, 'tokens'>;

const FOLDER = new URL('./', import.meta.url);
const IS_VERSION = /^\d+\.\d+\.\d+$/;

/** The versions that are kept. */
export const RELEASES = readdirSync(FOLDER).filter((name) => IS_VERSION.test(name));

export const folderOf = (version: string) => new URL(`${version}/`, FOLDER);

export function readKnown(version: string): Known {
  return JSON.parse(readFileSync(new URL('known.json', folderOf(version)), 'utf8')) as Known;
}

/** `Known.migrations` of the present ones. */
export function hashMigrations(): Known['migrations'] {
  const hashes = MIGRATIONS.map(({ name, statements }) => [name, hash('sha256', JSON.stringify(statements))]);
  return Object.fromEntries(hashes) as Known['migrations'];
}

const unpacked = (version: string, name: string) => gunzipSync(readFileSync(new URL(name, folderOf(version))));

/** Restores the database of a release. @returns its URL */
export async function restoreDatabase(version: string): Promise<{ url: string; drop(): Promise<void> }> {
  const postgres = inject('postgresUrl');
  const name = `release_${crypto.randomUUID().replaceAll('-', '')}`;
  await asAdmin(postgres, `create database ${name}`);
  const url = Object.assign(new URL(postgres), { pathname: `/${name}` }).href;
  await asAdmin(url, unpacked(version, 'database.sql.gz').toString());
  return { url, drop: () => asAdmin(postgres, `drop database ${name} with (force)`) };
}

/** Starts the local network of a release, with the ticket program of today. */
export async function restoreNetwork(version: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'release-'));
  await mkdir(join(dataDir, 'localnet'));
  await writeFile(join(dataDir, 'localnet', 'chain.sqlite'), unpacked(version, 'chain.sqlite.gz'));
  return startTestNetwork({ dataDir, programs: [readLocalProgram()] });
}
