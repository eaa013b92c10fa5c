import idl from '@fan-api/ticket-program/idl.json' with { type: 'json' };
import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import compress from 'koa-compress';
import { ChainCluster } from '../../../src/entities/chain.ts';
import { MODES, type Mode } from '../../../src/platform/mode.ts';
import type { Runtime } from '../../../src/runtime.ts';
import { createPolicyPublisher } from '../../../src/tickets/listing/publish-policy.ts';
import { publicCors } from '../../http/cors.ts';
import { basePath } from '../../http/surface.ts';
import { describeFanApi } from './openapi.ts';

const MAX_AGE_SECONDS = 300;

const POLICY_PATH = '/.well-known/cosign-policy';

/** A mode's cluster, as published to partners. */
interface ClusterDocument {
  /** Address of the ticket program; null where none is set. */
  program_id: string | null;
  /** Null before the service first reached the cluster. */
  genesis_hash: string | null;
  /** Null where partners use a node of their own. */
  rpc_url: string | null;
  /** The Anchor IDL of the program. */
  idl: string | null;
}

type Described = Pick<Runtime, 'config' | 'orm' | 'chains' | 'keys' | 'now'>;
type Answer = { body: object; etag?: string } | { status: 400 | 404; message: string };

/**
 * For partners and their code generators: the Anchor IDL of the ticket program (`/idl.json`, of sandbox unless `mode` names the other),
 * the cluster of each mode (`/clusters.json`), the co-signing policy (`/.well-known/cosign-policy`), and the OpenAPI description of the
 * Fan API.
 */
export function publicDocuments(runtime: Described): Middleware {
  const { apiUrl } = runtime.config;
  const openapi = describeFanApi(runtime.config);
  const publish = createPolicyPublisher(runtime);
  const publishedPolicy = async () => {
    const { document, etag } = await publish();
    return { body: document, etag };
  };
  const documents = new Map<string, (ctx: Context) => Answer | Promise<Answer>>([
    ['/idl.json', ({ query }) => idlOf(runtime, query.mode ?? 'sandbox')],
    ['/clusters.json', () => describeClusters(runtime)],
    [POLICY_PATH, () => publishedPolicy()],
    [`${basePath(apiUrl)}/openapi.json`, () => ({ body: openapi })],
  ]);
  const around = compose<Context>([publicCors(), compress()]);
  return (ctx, next) => {
    const document = documents.get(ctx.path);
    return document === undefined ? next() : around(ctx, () => answer(ctx, document));
  };
}

function idlOf({ config }: Described, given: string | string[]): Answer {
  const mode = MODES.find((known) => known === given);
  if (!mode) return { status: 400, message: `mode must be ${MODES.join(' or ')}.` };
  const { programId } = config.chains[mode];
  if (programId === undefined) return { status: 404, message: `No ticket program is set up for ${mode}.` };
  return { body: { ...idl, address: programId } };
}

async function describeClusters(runtime: Described): Promise<Answer> {
  const known = await runtime.orm.em.fork().find(ChainCluster, {});
  const hashes = new Map(known.map(({ mode, genesisHash }) => [mode, genesisHash]));
  return { body: Object.fromEntries(MODES.map((mode) => [mode, describeCluster(runtime, mode, hashes.get(mode))])) };
}

function describeCluster({ config, chains }: Described, mode: Mode, seen: string | undefined): ClusterDocument {
  const { programId } = config.chains[mode];
  return {
    program_id: programId ?? null,
    genesis_hash: seen ?? null,
    rpc_url: chains[mode]?.publicRpcUrl ?? null,
    idl: programId === undefined ? null : new URL(`/idl.json?mode=${mode}`, config.apiUrl).href,
  };
}

async function answer(ctx: Context, document: (ctx: Context) => Answer | Promise<Answer>): Promise<void> {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.status = 405;
    ctx.set('Allow', 'GET, HEAD');
    ctx.body = { message: `${ctx.method} is not allowed here.` };
    return;
  }
  const found = await document(ctx);
  if ('body' in found) {
    ctx.set('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
    if (found.etag !== undefined) ctx.set('ETag', found.etag);
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = found.body;
  } else {
    ctx.status = found.status;
    ctx.body = { message: found.message };
  }
}
