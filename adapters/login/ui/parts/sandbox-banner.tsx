import { texts } from '../texts.ts';

/** The badge that says that nothing here is real. */
export function SandboxBanner() {
  return (
    <div class="sandbox">
      <strong>{texts.sandbox.name}</strong>
      <span>{texts.sandbox.detail}</span>
    </div>
  );
}
