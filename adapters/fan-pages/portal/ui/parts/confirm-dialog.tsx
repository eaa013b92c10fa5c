import { useEffect, useRef, useState } from 'preact/hooks';
import type { TicketOption } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import { EventList } from './event-list.tsx';

export type Question = {
  title: string;
  detail?: string;
  confirm: string;
  /** The tickets that are taken off sale with it, unless the fan leaves them there. */
  sales?: readonly TicketOption[];
  onConfirm: (keepsSales: boolean) => Promise<unknown>;
  onClose: () => void;
};

/** Asks before a change that can't be undone here. The browser keeps the focus inside, and restores it afterwards. */
export function ConfirmDialog({ title, detail, confirm, sales = [], onConfirm, onClose }: Question) {
  const { portal, format } = usePortalWords();
  const [busy, setBusy] = useState(false);
  const [keepsSales, setKeepsSales] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);

  async function answer(): Promise<void> {
    if (busy) return;
    setBusy(true);
    await onConfirm(keepsSales);
    dialog.current?.close();
  }

  const tickets = sales.length;
  return (
    <dialog ref={dialog} class="ask" aria-labelledby="ask-title" aria-describedby="ask-detail" onClose={onClose}>
      <h2 id="ask-title">{title}</h2>
      <div id="ask-detail">
        {detail === undefined ? null : <p>{detail}</p>}
        {tickets === 0 ? null : <p>{format(portal.sales.also, { tickets, keeps: keepsSales ? 'yes' : 'no' })}</p>}
      </div>
      {tickets === 0 ? null : (
        <>
          <EventList tickets={sales} />
          <label class="ticket">
            <input type="checkbox" checked={keepsSales} onChange={() => setKeepsSales(!keepsSales)} />
            <span>{format(portal.sales.leave, { tickets })}</span>
          </label>
        </>
      )}
      <div class="decision">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {portal.cancel}
        </button>
        <button type="button" class="button danger" aria-disabled={busy} onClick={() => void answer()}>
          {busy ? portal.busy : confirm}
        </button>
      </div>
    </dialog>
  );
}
