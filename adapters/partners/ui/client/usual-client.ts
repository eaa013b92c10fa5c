import { useOwnClients } from './client-filter.tsx';

/** The client that is shown where none is named: one that fans use, else the newest. */
export function useUsualClient(): { id: string | undefined; isEmpty: boolean } {
  const { data } = useOwnClients();
  const clients = data?.clients.nodes ?? [];
  const live = clients.find(({ status }) => status === 'ENABLED') ?? clients[0];
  return { id: live?.id, isEmpty: data !== undefined && clients.length === 0 };
}
