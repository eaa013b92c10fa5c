import { ClientConfiguration as Configuration } from '../../kit/client/configuration.tsx';
import { CLIENT, type ClientData, waitingOf } from './document.ts';

/** A client's registration, to read and to edit; of an approved client, a change is requested. */
export function ClientConfiguration({ client }: { client: ClientData }) {
  return (
    <Configuration
      client={client}
      document={CLIENT}
      waitingOf={waitingOf}
      waitingSays="The registration in force stays as it is until the change is approved."
      request="Request a change"
      notice={{
        title: 'Nothing changes until this is approved',
        text: 'The registration in force stays as it is. The people who run this service review redirect URIs, scopes, the loopback option, the privacy page and the marketplaces. They also change the name and the refresh retry window for you.',
      }}
      noteSays="What this changes, and why."
    />
  );
}
