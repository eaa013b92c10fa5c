import { useEffect, useRef, useState } from 'preact/hooks';
import { readFailure } from '../../../page-kit/failure.ts';
import { Alert } from '../../../page-kit/parts/alert.tsx';
import { eventTime } from '../../../page-kit/tickets/event-time.ts';
import { type Explain, useWork } from '../../../page-kit/use-work.ts';
import type { Holds, OpenVisit, PortalApi } from '../api.ts';
import { type OwnDataTexts, useOwnDataTexts } from '../texts/own-data-texts.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

type Props = {
  api: PortalApi;
  visit: OpenVisit;
  explain: Explain;
  /** Whether the page is long already. */
  isFolded: boolean;
  onSignOut: () => Promise<void>;
};

/** A copy of all that is kept about the fan, and the end of the account: soon after a sign-in only. */
export function OwnData({ api, visit, explain, isFolded, onSignOut }: Props) {
  const texts = useOwnDataTexts();
  const { portal } = usePortalWords();
  if (texts === undefined) return null;
  const isFresh = Date.parse(visit.freshUntil) > api.now();
  const parts = (
    <>
      <div class="copy">
        <p>{texts.copy.detail}</p>
        {isFresh ? (
          <div class="downloads">
            <Download texts={texts} format="html" />
            <Download texts={texts} format="json" />
          </div>
        ) : (
          <p class="nothing">
            {texts.copy.again}{' '}
            <button type="button" class="link" onClick={() => void onSignOut()}>
              {portal.signOut}
            </button>
          </p>
        )}
      </div>
      {isFresh && visit.mode === 'production' ? (
        <Leave api={api} texts={texts} explain={explain} onSignOut={onSignOut} />
      ) : null}
    </>
  );
  return (
    <section class={`app ${isFolded ? 'own' : 'sign-in'}`} aria-labelledby="own-data">
      <h2 id="own-data">{texts.title}</h2>
      {isFolded ? (
        <details class="folded">
          <summary>{texts.copy.show}</summary>
          {parts}
        </details>
      ) : (
        parts
      )}
    </section>
  );
}

function Download({ texts, format }: { texts: OwnDataTexts; format: 'html' | 'json' }) {
  const { locale } = usePortalWords();
  const query = new URLSearchParams({ locale, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  return (
    <a class="button" href={`data/my-data.${format}?${query}`} download>
      {format === 'html' ? texts.copy.page : texts.copy.file}
    </a>
  );
}

type LeaveProps = Omit<Props, 'visit' | 'isFolded'> & { texts: OwnDataTexts };

/** Looks what the account holds before it asks. */
function Leave({ api, texts: { leave }, explain, onSignOut }: LeaveProps) {
  const { portal } = usePortalWords();
  const { busy, problem, setProblem, run } = useWork(explain);
  const [holds, setHolds] = useState<Holds>();
  const [step, setStep] = useState<'rest' | 'asking' | 'deleted'>('rest');

  async function look(): Promise<boolean> {
    const found = await api.holds();
    setHolds(found);
    return found.tickets.length === 0 && found.incoming === 0;
  }

  async function end(): Promise<void> {
    try {
      await api.leave();
      setStep('deleted');
    } catch (error) {
      const failure = readFailure(error);
      // refused for what the account holds by now, or because staff have stopped it
      if (failure.reason !== 'internal') setProblem(explain(failure));
      else if (await look().catch(() => true)) setProblem(leave.refused);
    }
  }

  return (
    <section aria-labelledby="leave">
      <h3 id="leave">{leave.title}</h3>
      <p class="nothing">{leave.detail}</p>
      <button
        type="button"
        class="button danger"
        aria-disabled={busy}
        onClick={() => void run(async () => ((await look()) ? setStep('asking') : undefined))}
      >
        {busy ? portal.busy : leave.button}
      </button>
      <div role="status" class="copy">
        {holds === undefined ? null : <Held holds={holds} leave={leave} />}
      </div>
      <Alert message={problem} />
      {step === 'asking' ? (
        <ConfirmDialog
          title={leave.ask}
          detail={leave.askDetail}
          confirm={leave.confirm}
          onConfirm={end}
          onClose={() => setStep((now) => (now === 'asking' ? 'rest' : now))}
        />
      ) : null}
      {step === 'deleted' ? <Goodbye leave={leave} onClose={onSignOut} /> : null}
    </section>
  );
}

type Words = { leave: OwnDataTexts['leave'] };

/** What keeps the fan from leaving; nothing where nothing does. */
function Held({ holds: { tickets, incoming }, leave }: Words & { holds: Holds }) {
  const { locale } = usePortalWords();
  if (tickets.length === 0) return incoming === 0 ? null : <p>{leave.incoming}</p>;
  return (
    <>
      <p>{leave.holds}</p>
      <ul class="actions">
        {tickets.map(({ id, eventName, ticketTypeName, isOnSale, ...start }) => (
          <li key={id}>
            <span>
              <strong>
                <bdi>{eventName}</bdi>
              </strong>
              <small>
                {eventTime(start, locale)} · <bdi>{ticketTypeName}</bdi>
                {isOnSale ? ` · ${leave.onSale}` : ''}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The account is gone, and this visit with it: the page begins again when the fan closes this. */
function Goodbye({ leave, onClose }: Words & { onClose: () => Promise<void> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="ask" aria-labelledby="gone-title" aria-describedby="gone-detail" onClose={onClose}>
      <h2 id="gone-title">{leave.deleted}</h2>
      <p id="gone-detail">{leave.deletedDetail}</p>
      <div class="decision">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {leave.close}
        </button>
      </div>
    </dialog>
  );
}
