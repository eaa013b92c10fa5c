/** What stays the same around each step: whose sign-in this is, where in it we are, and the sandbox badge. */
import type { ComponentChildren } from 'preact';
import type { Session } from '../api.ts';
import { texts } from '../texts.ts';
import { initialsOf } from './initials.ts';
import { SandboxBanner } from './sandbox-banner.tsx';

function Progress({ step }: { step: Session['step'] }) {
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
  session: Session | undefined;
  onCancel: (() => void) | undefined;
  children: ComponentChildren;
};

export function Frame({ session, onCancel, children }: Props) {
  return (
    <>
      <header>{session?.mode === 'sandbox' ? <SandboxBanner /> : null}</header>
      <main class={session === undefined ? 'card narrow' : 'card'}>
        {session === undefined ? null : (
          <div class="partner">
            <div class="who">
              <span class="avatar" aria-hidden="true">
                {initialsOf(session.clientName)}
              </span>
              <p>
                <strong>{session.clientName}</strong> <span>{texts.lead}</span>
              </p>
            </div>
            {session.step === 'done' ? null : <Progress step={session.step} />}
          </div>
        )}
        <div class="panel">{children}</div>
      </main>
      {session === undefined || session.step === 'done' ? null : (
        <footer>
          <p>{texts.caution(session.clientName)}</p>
          {onCancel === undefined ? null : (
            <button type="button" class="link" onClick={onCancel}>
              {texts.cancel(session.clientName)}
            </button>
          )}
        </footer>
      )}
    </>
  );
}
