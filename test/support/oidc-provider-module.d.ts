/** The part of the package `oidc-provider` that the tests use; it brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface ProviderContext {
    path: string;
    headers: Record<string, string | undefined>;
    status: number;
    body: unknown;
    /** Of the request. */
    oidc?: { body?: Record<string, unknown> };
  }

  /** Of a code or token; `save` gives its value. */
  type Model = new (payload: Record<string, unknown>) => { save(): Promise<string> };

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    readonly Grant: new (of: {
      accountId: string;
      clientId: string;
    }) => {
      addOIDCScope(scope: string): void;
      addResourceScope(resource: string, scope: string): void;
      save(): Promise<string>;
    };
    readonly Client: { find(id: string): Promise<unknown> };
    readonly AuthorizationCode: Model;
    readonly AccessToken: Model;
    readonly RefreshToken: Model;
    /** A Koa middleware around its own. */
    use(middleware: (ctx: ProviderContext, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
