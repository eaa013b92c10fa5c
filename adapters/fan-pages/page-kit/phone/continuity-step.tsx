import { useState } from 'preact/hooks';
import { pageOperator } from '../operator.ts';
import { Alert } from '../parts/alert.tsx';
import { Lead } from '../parts/lead.tsx';
import { type AskForPasskey, knowsPasskeys } from '../passkey/browser-passkey.ts';
import { PasskeyButton } from '../passkey/passkey-button.tsx';
import { useWords } from '../texts/words.ts';
import { type Explain, useWork } from '../use-work.ts';

type Props = {
  api: AskForPasskey & { startNew: () => Promise<unknown>; askSupport: () => Promise<{ code: string }> };
  /** `phone` is masked; since when nobody has signed in with the number, ISO 8601. */
  session: { phone: string | null; unprovedSince: string | null };
  /** Called when an account is open. */
  onOpen: () => void;
  explain: Explain;
};

/** For a number that may have been another person's: open the account, start a new one, or ask support. Shows nothing of the account. */
export function ContinuityStep({ api, session, onOpen, explain }: Props) {
  const { texts, format, locale } = useWords();
  const [code, setCode] = useState<string>();
  const [isSure, setSure] = useState(false);
  const { busy, problem, run } = useWork(explain);
  const words = texts.continuity;
  const since = new Date(session.unprovedSince ?? Date.now());
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(since);

  const startNew = () => run(() => api.startNew().then(onOpen));

  return (
    <div class="continuity">
      <Lead title={words.title}>{format(words.detail, { phone: session.phone ?? '', month })}</Lead>
      <section aria-labelledby="mine">
        <h2 id="mine">{words.mine}</h2>
        {knowsPasskeys() ? (
          <>
            <p>{words.mineDetail}</p>
            <PasskeyButton api={api} text={texts.passkey.use} isMain onSignedIn={onOpen} explain={explain} />
          </>
        ) : null}
        {code === undefined ? (
          <button
            type="button"
            class="link"
            onClick={() => void run(async () => setCode((await api.askSupport()).code))}
          >
            {words.getCode}
          </button>
        ) : null}
        <div role="status">
          {code === undefined ? null : (
            <>
              <p>{words.supportDetail}</p>
              <p class="support-code" dir="ltr">
                {code}
              </p>
              <Help />
            </>
          )}
        </div>
      </section>
      <section aria-labelledby="not-mine">
        <h2 id="not-mine">{words.notMine}</h2>
        <p>{isSure ? words.sureDetail : words.notMineDetail}</p>
        {isSure ? (
          <div class="decision">
            <button type="button" class="button" aria-disabled={busy} onClick={() => void startNew()}>
              {busy ? words.busy : words.sure}
            </button>
            <button type="button" class="link" onClick={() => setSure(false)}>
              {words.back}
            </button>
          </div>
        ) : (
          <button type="button" class="button" onClick={() => setSure(true)}>
            {words.startNew}
          </button>
        )}
      </section>
      <Alert message={problem} />
    </div>
  );
}

/** A link to support, if the operator has configured one. */
function Help() {
  const { texts } = useWords();
  const { help } = pageOperator();
  return help === undefined ? null : (
    <a class="link" href={help} target="_blank" rel="noreferrer">
      {texts.operator.help}
    </a>
  );
}
