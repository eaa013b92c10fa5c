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
  const described = [detail === undefined ? [] : 'ask-detail', tickets === 0 ? [] : 'ask-sales'].flat().join(' ');
  return (
    <dialog ref={dialog} class="ask" aria-labelledby="ask-title" aria-describedby={described} onClose={onClose}>
      <div class="lead">
        <h2 id="ask-title">{title}</h2>
        {detail === undefined ? null : <p id="ask-detail">{detail}</p>}
      </div>
      {tickets === 0 ? null : (
        <div class="lead">
          <p id="ask-sales">{format(portal.sales.also, { tickets, keeps: keepsSales ? 'yes' : 'no' })}</p>
          <EventList tickets={sales} />
          <label class="ticket">
            <input type="checkbox" checked={keepsSales} onChange={() => setKeepsSales(!keepsSales)} />
            <span>{format(portal.sales.leave, { tickets })}</span>
          </label>
        </div>
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
