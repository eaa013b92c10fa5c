import type { ResultOf } from 'gql.tada';
import { useView } from '../../kit/data/view.ts';
import { graphql } from '../data/graphql.ts';

const LOGO = graphql(`
  query ClientLogo($id: ID!) {
    client(id: $id) { id logo { dataUrl kind width height size } }
  }
`);

export type LogoData = NonNullable<ResultOf<typeof LOGO>['client']>['logo'];

/** The logo that fans see beside a client's name; null where they see initials. */
export function useLogo(clientId: string) {
  const { data, error, refetch, isPending, isPlaceholderData } = useView('client-logo', LOGO, { id: clientId });
  return { logo: data?.client?.logo ?? null, isLoading: isPending || isPlaceholderData, error, refetch };
}
