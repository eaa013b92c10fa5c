import { useEffect, useState } from 'preact/hooks';
import { Alert } from '../../../page-kit/parts/alert.tsx';
import { SubmitButton } from '../../../page-kit/parts/submit-button.tsx';
import { TicketChoice } from '../../../page-kit/tickets/ticket-choice.tsx';
import type { Access, TicketOption } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import { NO_NOTICE } from '../use-access.ts';
import type { Controls } from '../use-sales.ts';

type Props = Controls & { clientName: string; access: Access; onClose: () => void };

/** Changes which tickets an app may act on. */
export function TicketEditor({ clientName, access, api, change, takeAway, onClose }: Props) {
  const { portal, texts, format } = usePortalWords();
  const { grantIds } = access;
  const [offered, setOffered] = useState<TicketOption[]>();
  const [mode, setMode] = useState(access.grantMode);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(access.tickets.map(({ id }) => id)));
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened
  useEffect(() => {
    void change(async () => setOffered(await api.ticketOptions(grantIds[0] ?? '')), NO_NOTICE).then((isDone) => {
      if (!isDone) onClose();
    });
  }, []);

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    if (busy) return;
    if (mode === 'selected' && chosen.size === 0) {
      setProblem(texts.consent.chooseTicket);
      return;
    }
    setBusy(true);
    const ticketIds = mode === 'selected' ? [...chosen] : [];
    const isLess =
      mode === 'selected' && (access.grantMode !== 'selected' || access.tickets.some(({ id }) => !chosen.has(id)));
    const isDone = await takeAway({
      grantIds: isLess ? grantIds : [],
      kept: chosen,
      title: format(portal.sales.chooseTitle, { client: clientName }),
      confirm: portal.save,
      work: (keepsSales) => api.chooseTickets({ grantIds, mode, ticketIds, keepsSales }),
      done: () => ({ text: format(portal.saved, { client: clientName }) }),
    });
    setBusy(false);
    if (isDone) onClose();
  }

  if (offered === undefined) return <p role="status">{portal.busy}</p>;
  return (
    <form class="editor" onSubmit={save} noValidate>
      <TicketChoice
        offered={offered}
        mode={mode}
        chosen={chosen}
        onMode={(next) => {
          setProblem(undefined);
          setMode(next);
        }}
        onChange={(next) => {
          setProblem(undefined);
          setChosen(next);
        }}
      />
      <Alert message={problem} />
      <div class="decision">
        <button type="button" class="button" onClick={onClose}>
          {portal.cancel}
        </button>
        <SubmitButton busy={busy} busyText={portal.busy}>
          {portal.save}
        </SubmitButton>
      </div>
    </form>
  );
}
