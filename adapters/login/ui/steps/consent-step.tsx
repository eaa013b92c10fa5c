import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { type Failure, readFailure } from '../../../page-kit/failure.ts';
import { Alert } from '../../../page-kit/parts/alert.tsx';
import { Lead } from '../../../page-kit/parts/lead.tsx';
import { SubmitButton } from '../../../page-kit/parts/submit-button.tsx';
import { TryAgain } from '../../../page-kit/parts/try-again.tsx';
import { useTexts } from '../../../page-kit/texts/words-context.ts';
import { ActionList } from '../../../page-kit/tickets/action-list.tsx';
import { TicketChoice } from '../../../page-kit/tickets/ticket-choice.tsx';
import type { ConsentOptions, Grant, LoginApi, Session } from '../api.ts';
import { keep, recall } from '../kept-in-tab.ts';

type Props = {
  api: LoginApi;
  session: Session;
  /** The browser leaves for the partner. */
  onLeave: (redirectTo: string) => void;
  onDeny: () => void;
  explain: (failure: Failure) => string | undefined;
};

/** Offers what was asked for, and nothing else; all of it is ticked at first, and each piece can be taken off. */
export function ConsentStep(props: Props) {
  const { api, session, explain } = props;
  const texts = useTexts();
  const [options, setOptions] = useState<ConsentOptions>();
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once per attempt, not when the page around it renders
  useEffect(() => {
    setProblem(undefined);
    api.consentOptions().then(setOptions, (error) => setProblem(explain(readFailure(error))));
  }, [attempt]);

  const words = texts.consent;
  const isPlain = options?.actions.length === 0;
  return (
    <>
      <Lead title={isPlain ? words.plainTitle(session.clientName) : words.title}>
        {isPlain ? words.plainDetail(session.clientName) : words.detail(session.clientName)}
      </Lead>
      {options !== undefined ? (
        <ConsentForm {...props} options={options} />
      ) : problem === undefined ? (
        <p role="status" class="waiting">
          {texts.loading}
        </p>
      ) : (
        <TryAgain problem={problem} onRetry={() => setAttempt(attempt + 1)} />
      )}
    </>
  );
}

/** What was ticked before a reload, as far as it can still be chosen. */
const stillOffered = (ticked: readonly string[], offered: readonly string[]): ReadonlySet<string> =>
  new Set(ticked.filter((id) => offered.includes(id)));

function ConsentForm({ api, session, options, onLeave, onDeny, explain }: Props & { options: ConsentOptions }) {
  const texts = useTexts();
  const isPlain = options.actions.length === 0;
  const [kept] = useState(() => recall(session.sessionId).choice);
  const [actions, setActions] = useState(() => stillOffered(kept?.actions ?? options.actions, options.actions));
  const [mode, setMode] = useState<Grant['mode']>(kept?.mode ?? 'all_current_future');
  const [tickets, setTickets] = useState(() =>
    stillOffered(
      kept?.ticketIds ?? [],
      options.tickets.map((ticket) => ticket.id),
    ),
  );
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  const choice: Grant = { actions: [...actions], mode, ticketIds: [...tickets] };
  // biome-ignore lint/correctness/useExhaustiveDependencies: kept when one of its parts changes
  useLayoutEffect(() => keep(session.sessionId, { choice }), [actions, mode, tickets]);

  /** A choice that is changed takes the complaint about it off the page. */
  const correcting =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      setProblem(undefined);
      set(value);
    };

  function findMissing(): string | undefined {
    if (!isPlain && actions.size === 0) return texts.consent.chooseAction;
    if (mode === 'selected' && tickets.size === 0) return texts.consent.chooseTicket;
    return undefined;
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const missing = findMissing();
    setProblem(missing);
    if (missing !== undefined) return;
    setBusy(true);
    try {
      const { redirectTo } = await api.grant({ ...choice, ticketIds: mode === 'selected' ? choice.ticketIds : [] });
      onLeave(redirectTo);
    } catch (error) {
      setProblem(explain(readFailure(error)));
      setBusy(false);
    }
  }

  const words = texts.consent;
  return (
    <form onSubmit={submit} noValidate>
      {isPlain ? null : (
        <>
          <ActionList offered={options.actions} chosen={actions} onChange={correcting(setActions)} />
          <TicketChoice
            offered={options.tickets}
            mode={mode}
            chosen={tickets}
            onMode={correcting(setMode)}
            onChange={correcting(setTickets)}
          />
        </>
      )}
      <Alert message={problem} />
      <div class="decision">
        <SubmitButton busy={busy} busyText={words.busy}>
          {isPlain ? words.plainSubmit : words.submit}
        </SubmitButton>
        <button type="button" class="button" onClick={onDeny}>
          {isPlain ? words.plainDeny : words.deny}
        </button>
      </div>
    </form>
  );
}
