import { useRef } from 'preact/hooks';
import { usePortalWords } from '../texts/portal-words.ts';
import type { Change, Notice } from '../use-access.ts';

type Props = { notice: Notice; change: Change; onClose: () => void };

/** Shows the last change at the lower edge of the screen, with a way to undo it. It stays until the next change: nobody is timed. */
export function Toast({ notice: { text, undo }, change, onClose }: Props) {
  const { portal } = usePortalWords();
  const status = useRef<HTMLParagraphElement>(null);
  return (
    <div class="toast">
      <p ref={status} role="status" class="notice" tabIndex={-1}>
        {text}
      </p>
      {undo === undefined ? null : (
        <button
          type="button"
          class="link"
          onClick={() => {
            // the button disappears with the notice
            status.current?.focus();
            void change(undo.work, { text: undo.done });
          }}
        >
          {portal.undo}
        </button>
      )}
      {text === '' ? null : (
        <button type="button" class="link close" aria-label={portal.close} onClick={onClose}>
          ×
        </button>
      )}
    </div>
  );
}
