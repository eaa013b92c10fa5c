/** What stays the same around each step: whose sign-in this is, where in it we are, and the sandbox badge. */
import type { ComponentChildren } from 'preact';
import { Avatar } from '../../../page-kit/parts/avatar.tsx';
import { SandboxBanner } from '../../../page-kit/parts/sandbox-banner.tsx';
import { useTexts } from '../../../page-kit/texts/words-context.ts';
import type { Session } from '../api.ts';
import type { KeptPartner } from '../kept-in-tab.ts';

type Step = Session['step'];

function Progress({ step }: { step: Step }) {
  const texts = useTexts();
  const order = ['phone', 'code', 'consent'] as const;
  const current = step === 'done' ? order.length : order.indexOf(step);
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
  /** Undefined until the server has told whose sign-in this is: the name in the address could be anybody's words. */
  partner: KeptPartner | undefined;
  /** Undefined where there is no step to go on with. */
  step: Step | undefined;
  onCancel: (() => void) | undefined;
  children: ComponentChildren;
};

export function Frame({ partner, step, onCancel, children }: Props) {
  const texts = useTexts();
  const isOpen = step !== undefined && step !== 'done';
  return (
    <>
      <header>{partner?.mode === 'sandbox' ? <SandboxBanner {...texts.sandbox} /> : null}</header>
      <main class={partner === undefined ? 'card narrow' : 'card'}>
        {partner === undefined ? null : (
          <div class="partner">
            <div class="who">
              <Avatar name={partner.clientName} logo={partner.logo} />
              <p>
                <strong>{partner.clientName}</strong> <span>{texts.lead}</span>
              </p>
            </div>
            {isOpen ? <Progress step={step} /> : null}
          </div>
        )}
        <div class="panel">{children}</div>
      </main>
      {partner === undefined || !isOpen ? null : (
        <footer>
          <p>{texts.caution(partner.clientName)}</p>
          {onCancel === undefined ? null : (
            <button type="button" class="link" onClick={onCancel}>
              {texts.cancel(partner.clientName)}
            </button>
          )}
        </footer>
      )}
    </>
  );
}
