import type { EndingReason } from '../../../page-kit/failure.ts';
import { Lead } from '../../../page-kit/parts/lead.tsx';
import { useWords } from '../../../page-kit/texts/words.ts';
import type { Partner } from '../tab-state.ts';

type Props = { reason: EndingReason | 'done'; partner: Partner | undefined };

/** A sign-in that is over: what happened and what to do next. */
export function Ended({ reason, partner }: Props) {
  const { texts, format } = useWords();
  const { title, detail } = texts.ended[reason];
  const isDone = reason === 'done';
  return (
    <div class="ended">
      <span class={isDone ? 'mark good' : 'mark'} aria-hidden="true" />
      <Lead title={title}>{detail}</Lead>
      {reason === 'fan_stopped' ? null : (
        <p class="next">
          {partner === undefined
            ? texts.startAgainAtApp
            : format(isDone ? texts.goBack : texts.startAgain, { client: partner.clientName })}
        </p>
      )}
      {isDone ? null : <WayBack partner={partner} isMain />}
    </div>
  );
}

/** A link to the partner with the answer that nobody was signed in; nothing while the partner is not known. */
export function WayBack({ partner, isMain }: { partner: Partner | undefined; isMain: boolean }) {
  const { texts, format } = useWords();
  return partner === undefined ? null : (
    <a class={isMain ? 'button primary' : 'button'} href={partner.returnTo}>
      {format(texts.back, { client: partner.clientName })}
    </a>
  );
}
