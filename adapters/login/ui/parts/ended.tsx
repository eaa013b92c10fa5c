import type { EndingReason } from '../../../page-kit/failure.ts';
import { Lead } from '../../../page-kit/parts/lead.tsx';
import { useTexts } from '../../../page-kit/texts/words-context.ts';
import type { KeptPartner } from '../kept-in-tab.ts';
import { WayBack } from './way-back.tsx';

type Props = { reason: EndingReason | 'done'; partner: KeptPartner | undefined };

/** A sign-in that is over: what happened, what it means, what to do next. */
export function Ended({ reason, partner }: Props) {
  const texts = useTexts();
  const { title, detail } = texts.ended[reason];
  const isDone = reason === 'done';
  return (
    <div class="ended">
      <span class={isDone ? 'mark good' : 'mark'} aria-hidden="true" />
      <Lead title={title}>{detail}</Lead>
      {reason === 'fan_stopped' ? null : (
        <p class="next">
          {isDone && partner !== undefined ? texts.goBack(partner.clientName) : texts.startAgain(partner?.clientName)}
        </p>
      )}
      {isDone ? null : <WayBack partner={partner} isMain />}
    </div>
  );
}
