import { TLSSocket } from 'node:tls';
import type { Pool } from 'pg';

/** How the connections to PostgreSQL are protected, for the log at start: the protocol and cipher in force, or that there is none. */
export async function describeTls(pool: Pool): Promise<string> {
  const client = await pool.connect();
  try {
    const { stream } = client.connection;
    if (!(stream instanceof TLSSocket)) return 'none';
    const verified = stream.authorized ? 'certificate verified' : 'certificate not verified';
    return `${stream.getProtocol()}, ${stream.getCipher().name}, ${verified}`;
  } finally {
    client.release();
  }
}
