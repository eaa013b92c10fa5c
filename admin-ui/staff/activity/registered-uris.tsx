import { Text } from '@mantine/core';
import { useView } from '../../kit/data/view.ts';
import { graphql } from '../data/graphql.ts';
import type { EntryData } from './kinds.ts';

const REGISTERED = graphql(`
  query RegisteredUris($id: ID!) {
    client(id: $id) { redirectUris loopbackAnyPort }
  }
`);

/** Below a refused redirect_uri: those that the client has, to compare with the one that was sent. */
export function RegisteredUris({ of: { message, details, references } }: { of: EntryData }) {
  const { operation } = details as { operation?: unknown };
  const isRefusal = operation === 'authorize.start' && message?.includes('redirect_uri') === true;
  const id = isRefusal ? references.client : null;
  const { data } = useView('registered redirect URIs', REGISTERED, { id: id ?? '' }, { enabled: id !== null });
  if (!data?.client) return null;
  const { redirectUris, loopbackAnyPort } = data.client;
  return (
    <Text size="sm" component="div" className="breakable">
      <strong>Registered now:</strong>
      {loopbackAnyPort && ' (any port of a loopback address)'}
      <ul className="ways">
        {redirectUris.map((uri) => (
          <li key={uri}>
            <code>{uri}</code>
          </li>
        ))}
      </ul>
    </Text>
  );
}
