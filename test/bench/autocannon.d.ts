/** The part of autocannon that the benches use; the package brings no types. */
declare module 'autocannon' {
  interface Request {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
  }
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration?: number;
    /** Requests in all, instead of a duration. */
    amount?: number;
    requests?: (Request & { setupRequest?: (request: Request) => Request })[];
    headers?: Record<string, string>;
  }
  interface Result {
    /** Seconds. */
    duration: number;
    requests: { total: number };
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
