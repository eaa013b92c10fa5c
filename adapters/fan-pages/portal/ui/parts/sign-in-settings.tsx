import type { Explain } from '../../../page-kit/use-work.ts';
import type { OpenVisit, PortalApi } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import { Passkeys } from './passkeys.tsx';

type Props = {
  api: PortalApi;
  visit: OpenVisit;
  explain: Explain;
  onChangeNumber: () => void;
  onSignOut: () => Promise<void>;
};

/** How the fan signs in: the number and the passkeys. */
export function SignInSettings({ api, visit, explain, onChangeNumber, onSignOut }: Props) {
  const { portal } = usePortalWords();
  const words = portal.signIn;
  const { phone, numberChangeUntil } = visit;
  const mayChange = numberChangeUntil !== null && Date.parse(numberChangeUntil) > api.now();
  return (
    <section class="app sign-in" aria-labelledby="sign-in">
      <h2 id="sign-in">{words.title}</h2>
      <section aria-labelledby="number">
        <h3 id="number">{words.number}</h3>
        <p>
          {phone === null ? (
            words.noNumber
          ) : (
            <bdi class="number" dir="ltr">
              {phone}
            </bdi>
          )}
        </p>
        {numberChangeUntil === null ? null : mayChange ? (
          <button type="button" class="button" onClick={onChangeNumber}>
            {phone === null ? words.addNumber : words.changeNumber}
          </button>
        ) : (
          <p class="nothing">
            {words.again}{' '}
            <button type="button" class="link" onClick={() => void onSignOut()}>
              {portal.signOut}
            </button>
          </p>
        )}
      </section>
      <Passkeys api={api} explain={explain} />
    </section>
  );
}
