import { pageOperator } from '../operator.ts';
import { useWords } from '../texts/words.ts';
import { SandboxBanner } from './sandbox-banner.tsx';

/** The top of every fan page: the sandbox badge, and whose account it is. */
export function PageHeader({ isSandbox }: { isSandbox: boolean }) {
  const { texts, format } = useWords();
  const { name, logo } = pageOperator();
  return (
    <header>
      {isSandbox ? <SandboxBanner {...texts.sandbox} /> : null}
      <p class="operator">
        {logo === undefined ? null : <img src={logo} alt="" />}
        <span>{name === undefined ? texts.operator.noName : format(texts.operator.account, { operator: name })}</span>
      </p>
    </header>
  );
}
