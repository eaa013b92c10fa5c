import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { Alert } from '../../page-kit/parts/alert.tsx';
import { Lead } from '../../page-kit/parts/lead.tsx';
import { SubmitButton } from '../../page-kit/parts/submit-button.tsx';
import { TryAgain } from '../../page-kit/parts/try-again.tsx';
import { isSelling } from '../../page-kit/texts/describe-action.ts';
import { useTexts, useWords } from '../../page-kit/texts/words.ts';
import { ActionList } from '../../page-kit/tickets/action-list.tsx';
import { TicketChoice } from '../../page-kit/tickets/ticket-choice.tsx';
import { type Explain, useWork } from '../../page-kit/use-work.ts';
import type { ConsentOptions, Grant, GrantBy, LoginApi, Session } from './api.ts';
import { readTabState, saveTabState } from './tab-state.ts';

type Props = {
  api: LoginApi;
  session: Session;
  /** Sends the browser to the partner. */
  onLeave: (redirectTo: string) => void;
  onDeny: () => void;
  /** Signs another fan in. */
  onChangeFan: () => void;
  /** They stay in sight above the choices. */
  notices: ComponentChildren;
  explain: Explain;
};

/** Offers what the partner asked for. Every action is ticked at first, and each can be removed. */
export function ConsentStep(props: Props) {
  const { api, session, explain } = props;
  const { texts, format } = useWords();
  const [options, setOptions] = useState<ConsentOptions>();
  const { problem, run } = useWork(explain);
  const load = () => void run(() => api.consentOptions().then(setOptions));

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, not when the page around it renders
  useEffect(load, []);

  const words = texts.consent;
  const isPlain = options?.actions.length === 0;
  const client = session.clientName;
  return (
    <>
      <Lead title={isPlain ? format(words.plainTitle, { client }) : words.title}>
        {format(isPlain ? words.plainDetail : words.detail, { client })}
      </Lead>
      <Company session={session} />
      <p class="account">
        {words.signedInAs}{' '}
        <bdi class="number" dir="ltr">
          {session.phone}
        </bdi>
        <button type="button" class="link" onClick={props.onChangeFan}>
          {words.notYou}
        </button>
      </p>
      {options !== undefined ? (
        <ConsentForm {...props} options={options} />
      ) : problem === undefined ? (
        <p role="status" class="waiting">
          {texts.loading}
        </p>
      ) : (
        <TryAgain problem={problem} onRetry={load} />
      )}
      {options === undefined ? props.notices : null}
    </>
  );
}

/** The company whose app it is, and its privacy page. */
function Company({ session: { clientName: client, partnerName: partner, privacyUrl } }: Pick<Props, 'session'>) {
  const { texts, format } = useWords();
  const words = texts.consent;
  if (partner === client && privacyUrl === null) return null;
  return (
    <p class="company">
      {partner === client ? null : format(words.company, { client, partner })}{' '}
      {privacyUrl === null ? null : (
        <a class="link" href={privacyUrl} target="_blank" rel="noreferrer">
          {format(words.privacy, { partner })}
        </a>
      )}
    </p>
  );
}

/** Enter in a box would press "Allow", perhaps before all that is ticked was seen. */
function ignoreEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

/** What was ticked before a reload and is still offered. */
const stillOffered = (ticked: readonly string[], offered: readonly string[]): ReadonlySet<string> =>
  new Set(ticked.filter((id) => offered.includes(id)));

function ConsentForm(props: Props & { options: ConsentOptions }) {
  const { api, session, options, onLeave, onDeny, notices, explain } = props;
  const texts = useTexts();
  const isPlain = options.actions.length === 0;
  const verifiedAt = session.verifiedAt ?? undefined;
  const [saved] = useState(() => {
    const { choice } = readTabState(session.sessionId);
    return choice?.verifiedAt === verifiedAt ? choice : undefined;
  });
  const [actions, setActions] = useState(() => stillOffered(saved?.actions ?? options.actions, options.actions));
  const [mode, setMode] = useState<Grant['mode']>(saved?.mode ?? 'all_current_future');
  const [tickets, setTickets] = useState(() =>
    stillOffered(
      saved?.ticketIds ?? [],
      options.tickets.map((ticket) => ticket.id),
    ),
  );
  // what limits resale matters only to an app that asks to sell
  const sells = options.actions.some(isSelling);
  const offered = useMemo(
    () => (sells ? options.tickets : options.tickets.map((ticket) => ({ ...ticket, resale: null }))),
    [sells, options.tickets],
  );
  const { busy, problem, setProblem, run } = useWork(explain);

  const choice: GrantBy = { actions: [...actions], mode, ticketIds: [...tickets], verifiedAt };
  // biome-ignore lint/correctness/useExhaustiveDependencies: saved when one of its parts changes
  useLayoutEffect(() => saveTabState(session.sessionId, { choice }), [actions, mode, tickets]);

  /** A changed choice removes the error message. */
  const clearingProblem =
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

  function submit(event: Event): void {
    event.preventDefault();
    void run(async () => {
      const missing = findMissing();
      setProblem(missing);
      if (missing !== undefined) return;
      const { redirectTo } = await api.grant({ ...choice, ticketIds: mode === 'selected' ? choice.ticketIds : [] });
      onLeave(redirectTo);
    });
  }

  const words = texts.consent;
  const answers = (
    <>
      <p class="hint">
        {words.later}{' '}
        <a class="link" href={session.portalUrl} target="_blank" rel="noopener">
          {words.laterLink}
        </a>
      </p>
      <div class="pinned">
        <Alert message={problem} />
        <div class="decision">
          <SubmitButton busy={busy} busyText={words.busy}>
            {isPlain ? words.plainSubmit : words.submit}
          </SubmitButton>
          <button type="button" class="button" onClick={onDeny}>
            {isPlain ? words.plainDeny : words.deny}
          </button>
        </div>
      </div>
    </>
  );
  return (
    <form class="choosing" onSubmit={submit} onKeyDown={ignoreEnter} noValidate>
      {notices}
      {isPlain ? (
        answers
      ) : (
        <>
          <ActionList offered={options.actions} chosen={actions} onChange={clearingProblem(setActions)} />
          <TicketChoice
            offered={offered}
            mode={mode}
            chosen={tickets}
            onMode={clearingProblem(setMode)}
            onChange={clearingProblem(setTickets)}
          >
            {answers}
          </TicketChoice>
        </>
      )}
    </form>
  );
}
