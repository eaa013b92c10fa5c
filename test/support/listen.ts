import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Serves on a free port of this machine, until it is stopped together with its open connections. */
export async function listen(server: Server, host = '127.0.0.1') {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => open.add(socket.once('close', () => open.delete(socket))));
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
