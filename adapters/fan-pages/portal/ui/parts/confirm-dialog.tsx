import { useEffect, useRef, useState } from 'preact/hooks';
import { usePortalWords } from '../texts/portal-words.ts';

type Props = {
  title: string;
  detail: string;
  confirm: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before a change that can't be undone here. The browser keeps the focus inside, and restores it afterwards. */
export function ConfirmDialog({ title, detail, confirm, onConfirm, onClose }: Props) {
  const { portal } = usePortalWords();
  const [busy, setBusy] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);

  async function answer(): Promise<void> {
    if (busy) return;
    setBusy(true);
    await onConfirm();
    dialog.current?.close();
  }

  return (
    <dialog ref={dialog} class="ask" aria-labelledby="ask-title" aria-describedby="ask-detail" onClose={onClose}>
      <h2 id="ask-title">{title}</h2>
      <p id="ask-detail">{detail}</p>
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
