import { useOwnClients } from './client-filter.tsx';

interface Candidate {
  id: string;
  status: string;
  grantCount: number;
}

/** The client that is shown where none is named: one that fans use, else the one with the most grants, else the newest. */
export function usualOf<Client extends Candidate>(clients: readonly Client[]): Client | undefined {
  const byGrants = clients.toSorted((one, other) => other.grantCount - one.grantCount);
  return byGrants.find(({ status }) => status === 'ENABLED') ?? byGrants[0];
}

/** As `usualOf`, of the partner's clients. */
export function useUsualClient(): { id: string | undefined; isEmpty: boolean } {
  const clients = useOwnClients().data?.clients.nodes;
  return { id: usualOf(clients ?? [])?.id, isEmpty: clients?.length === 0 };
}
