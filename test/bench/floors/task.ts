import type { JWK } from 'jose';
import type { PathName } from '../paths/all.ts';

/** What the floor's process needs to know. */
export interface FloorTask {
  databaseUrl: string;
  /** Connections, as many as the server's. */
  poolSize: number;
  rpcUrl: string;
  /** The server's key that signs access tokens. */
  tokenKey: JWK;
  /** The statement of `GET /tickets` for the fan whose tickets are listed, and whose they are. */
  tickets: { userId: string; statement: { name: string; text: string; values: unknown[] } };
}

/** What a floor's handler works with. */
export interface FloorContext extends FloorTask {
  query<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]>;
  /** @param body a JSON-RPC call, or several */
  rpc(body: object): Promise<unknown>;
}

/** Answers a request with the body of a JSON answer. */
export type FloorHandler = (request: { authorization: string; body: string }) => Promise<string> | string;

/** A floor: made once, before the first request. */
export type Floor = (context: FloorContext) => Promise<FloorHandler> | FloorHandler;

/** Of each path but claims: a bare server that follows the chain would be the service again. */
export type Floors = Record<Exclude<PathName, 'claims'>, Floor>;
