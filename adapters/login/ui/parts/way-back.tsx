import { useTexts } from '../../../page-kit/texts/words-context.ts';
import type { KeptPartner } from '../kept-in-tab.ts';

/** To the partner, with the answer that nobody was signed in, where this tab knows whose sign-in it was. */
export function WayBack({ partner, isMain }: { partner: KeptPartner | undefined; isMain: boolean }) {
  const texts = useTexts();
  return partner === undefined ? null : (
    <a class={isMain ? 'button primary' : 'button'} href={partner.returnTo}>
      {texts.back(partner.clientName)}
    </a>
  );
}
