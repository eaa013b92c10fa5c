import { useEffect, useState } from 'preact/hooks';
import { Alert } from '../../../page-kit/parts/alert.tsx';
import { knowsPasskeys, makePasskey } from '../../../page-kit/passkey/browser-passkey.ts';
import { type Explain, useWork } from '../../../page-kit/use-work.ts';
import type { OpenVisit, Passkey, PortalApi } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

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

/** The fan's passkeys, with buttons to add and remove one. */
function Passkeys({ api, explain }: Pick<Props, 'api' | 'explain'>) {
  const { portal, format } = usePortalWords();
  const words = portal.passkeys;
  const [passkeys, setPasskeys] = useState<Passkey[]>();
  const [most, setMost] = useState(0);
  const [removing, setRemoving] = useState<Passkey>();
  const [notice, setNotice] = useState('');
  const { busy, problem, run } = useWork(explain);

  async function read(): Promise<void> {
    const found = await api.passkeys();
    setPasskeys(found.passkeys);
    setMost(found.most);
  }

  async function change(work: () => Promise<unknown>, done: string): Promise<void> {
    setNotice('');
    await run(() => work().then(() => setNotice(done)));
    await read().catch(() => undefined);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => void run(read), []);

  return (
    <section class="passkeys" aria-labelledby="passkeys">
      <h3 id="passkeys">{words.title}</h3>
      <p class="nothing">{passkeys?.length === 0 ? words.none : words.detail}</p>
      {passkeys === undefined || passkeys.length === 0 ? null : (
        <ul class="actions">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <PasskeyLine passkey={passkey} />
              <button
                type="button"
                class="link"
                aria-label={`${words.remove}: ${passkey.name}`}
                onClick={() => setRemoving(passkey)}
              >
                {words.remove}
              </button>
            </li>
          ))}
        </ul>
      )}
      {passkeys !== undefined && passkeys.length < most && knowsPasskeys() ? (
        <button
          type="button"
          class="button"
          aria-disabled={busy}
          onClick={() => void change(() => makePasskey(api), words.added)}
        >
          {busy ? portal.busy : words.add}
        </button>
      ) : null}
      <p role="status" class="notice">
        {notice}
      </p>
      <Alert message={problem} />
      {removing === undefined ? null : (
        <ConfirmDialog
          title={words.removeTitle}
          detail={format(words.removeDetail, { name: removing.name })}
          confirm={words.remove}
          onConfirm={() => change(() => api.removePasskey(removing.id), words.removed)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </section>
  );
}

function PasskeyLine({ passkey: { name, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const { portal, locale, format } = usePortalWords();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const added = format(portal.passkeys.addedOn, { date: date.format(new Date(createdAt)) });
  const used =
    lastUsedAt === null ? portal.unused : format(portal.passkeys.usedOn, { date: date.format(new Date(lastUsedAt)) });
  return (
    <span>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <small>
        {added} · {used}
      </small>
    </span>
  );
}
