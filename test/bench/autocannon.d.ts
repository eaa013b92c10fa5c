/** The part of autocannon that the bench uses; the package brings no types. */
declare module 'autocannon' {
  interface Request {
    method: string;
    path: string;
    headers?: Record<string, string>;
    body?: string;
  }
  interface Options {
    url: string;
    connections: number;
    /** Requests in all. */
    amount: number;
    requests: (Request & { setupRequest: (request: Request) => Request })[];
  }
  interface Result {
    errors: number;
    non2xx: number;
    '2xx': number;
  }
  /** A run that can be listened to, and waited for. */
  interface Run extends Promise<Result> {
    on(event: 'start', listener: () => void): void;
    on(
      event: 'response',
      listener: (connection: unknown, status: number, bytes: number, milliseconds: number) => void,
    ): void;
  }
  export default function autocannon(options: Options): Run;
}
