import type { EndingReason } from '../failure.ts';
import { texts } from '../texts.ts';
import { Lead } from './lead.tsx';

type Props = { reason: EndingReason | 'done'; clientName: string | undefined };

/** A sign-in that is over: what happened, what it means, what to do next. */
export function Ended({ reason, clientName }: Props) {
  const { title, detail } = texts.ended[reason];
  const isDone = reason === 'done' && clientName !== undefined;
  return (
    <div class="ended">
      <span class={reason === 'done' ? 'mark good' : 'mark'} aria-hidden="true" />
      <Lead title={title}>{detail}</Lead>
      <p class="next">{isDone ? texts.goBack(clientName) : texts.startAgain(clientName)}</p>
    </div>
  );
}
