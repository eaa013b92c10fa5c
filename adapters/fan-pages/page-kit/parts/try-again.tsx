import { useTexts } from '../texts/words.ts';
import { Alert } from './alert.tsx';

/** Why something could not be loaded, and a button that tries again. */
export function TryAgain({ problem, onRetry }: { problem: string | undefined; onRetry: () => void }) {
  const texts = useTexts();
  return (
    <div class="retry">
      <Alert message={problem} />
      <button type="button" class="button primary" onClick={onRetry}>
        {texts.retry}
      </button>
    </div>
  );
}
