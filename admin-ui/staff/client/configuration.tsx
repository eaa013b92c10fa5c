import { ClientConfiguration as Configuration } from '../../kit/client/configuration.tsx';
import { CLIENT, type ClientData, submitterOf, waitingEditOf } from './document.ts';
import { LogoField } from './logo.tsx';

/** A client's registration and logo, to read and to edit. */
export function ClientConfiguration({ client }: { client: ClientData }) {
  const waiting = waitingEditOf(client);
  return (
    <Configuration
      client={client}
      document={CLIENT}
      waitingOf={waitingEditOf}
      waitingSays={
        waiting &&
        `${submitterOf(waiting)} submitted this edit. Until someone else approves it, the registration in force stays as it is.`
      }
      notice={{
        title: 'Nothing changes for fans until this is approved',
        text: 'The registration in force stays as it is. Redirect URIs, scopes, the loopback option, the privacy page and the marketplaces change when someone else approves them; the name and the refresh retry window change when you save.',
      }}
      noteSays="What this changes, and who asked for it."
    >
      <LogoField client={client} />
    </Configuration>
  );
}
