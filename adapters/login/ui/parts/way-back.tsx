import { useWords } from '../../../page-kit/texts/words.ts';
import type { Partner } from '../tab-state.ts';

/** A link to the partner with the answer that nobody was signed in; nothing while the partner is not known. */
export function WayBack({ partner, isMain }: { partner: Partner | undefined; isMain: boolean }) {
  const { texts, format } = useWords();
  return partner === undefined ? null : (
    <a class={isMain ? 'button primary' : 'button'} href={partner.returnTo}>
      {format(texts.back, { client: partner.clientName })}
    </a>
  );
}
