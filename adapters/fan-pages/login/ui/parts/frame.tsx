/** The frame around each step: the operator, the partner, the progress and the sandbox badge. */
import type { ComponentChildren } from 'preact';
import { Avatar } from '../../../page-kit/parts/avatar.tsx';
import { PageFooter } from '../../../page-kit/parts/page-footer.tsx';
import { PageHeader } from '../../../page-kit/parts/page-header.tsx';
import { useTexts, useWords } from '../../../page-kit/texts/words.ts';
import type { Session } from '../api.ts';
import type { Partner } from '../tab-state.ts';

type Step = Session['step'];

function Progress({ step }: { step: Step }) {
  const texts = useTexts();
  const order = ['phone', 'code', 'consent'] as const;
  const current = step === 'done' ? order.length : order.indexOf(step === 'continuity' ? 'code' : step);
  return (
    <ol class="progress" aria-label={texts.progress}>
      {order.map((name, position) => (
        <li
          key={name}
          class={position < current ? 'past' : position === current ? 'present' : 'ahead'}
          aria-current={position === current ? 'step' : undefined}
        >
          <span>{texts.steps[name]}</span>
        </li>
      ))}
    </ol>
  );
}

type Props = {
  /** Undefined until the server has named it: anybody can write a name into the address. */
  partner: Partner | undefined;
  /** Undefined where no step is left. */
  step: Step | undefined;
  onCancel: (() => void) | undefined;
  children: ComponentChildren;
};

export function Frame({ partner, step, onCancel, children }: Props) {
  const { texts, format } = useWords();
  const isOpen = step !== undefined && step !== 'done';
  return (
    <>
      <PageHeader isSandbox={partner?.mode === 'sandbox'} />
      <main class={partner === undefined ? 'card narrow' : 'card'}>
        {partner === undefined ? null : (
          <div class="partner">
            <div class="who">
              <Avatar name={partner.clientName} logo={partner.logo} />
              <p>
                <strong>
                  <bdi>{partner.clientName}</bdi>
                </strong>{' '}
                <span>{texts.lead}</span>
              </p>
            </div>
            {isOpen ? <Progress step={step} /> : null}
          </div>
        )}
        <div class="panel">{children}</div>
      </main>
      <PageFooter>
        {partner === undefined || !isOpen ? null : (
          <>
            <p>{format(texts.caution, { client: partner.clientName })}</p>
            {onCancel === undefined ? null : (
              <button type="button" class="link" onClick={onCancel}>
                {format(texts.cancel, { client: partner.clientName })}
              </button>
            )}
          </>
        )}
      </PageFooter>
    </>
  );
}
