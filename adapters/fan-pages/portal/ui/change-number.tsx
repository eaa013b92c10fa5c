import { useState } from 'preact/hooks';
import { CodeStep } from '../../page-kit/phone/code-step.tsx';
import { PhoneStep } from '../../page-kit/phone/phone-step.tsx';
import { WordsContext } from '../../page-kit/texts/words.ts';
import type { Explain } from '../../page-kit/use-work.ts';
import type { PortalApi } from './api.ts';
import { usePortalWords } from './texts/portal-words.ts';

type Props = {
  api: PortalApi;
  explain: Explain;
  onChanged: () => void;
  onCancel: () => void;
};

type Sent = { to: string; phone: string; resendAt: string };

/** A new number for the account: first the number, then the code that was sent there, by the steps of a sign-in. */
export function ChangeNumber({ api, explain, onChanged, onCancel }: Props) {
  const words = usePortalWords();
  const [sent, setSent] = useState<Sent>();
  const [typed, setTyped] = useState('');
  const { newNumber } = words.portal;
  const texts = {
    ...words.texts,
    phone: { ...words.texts.phone, title: newNumber.title, detail: newNumber.detail },
    code: { ...words.texts.code, title: newNumber.codeTitle, sentTo: newNumber.sentTo },
  };

  async function send(to: string): Promise<void> {
    const { phone, resendAt } = await api.sendNewNumberCode(to);
    setTyped(to);
    setSent({ to, phone, resendAt });
  }

  return (
    <WordsContext value={{ ...words, texts }}>
      {sent === undefined ? (
        <PhoneStep detail={newNumber.detail} initial={{ typed }} onSend={send} explain={explain} />
      ) : (
        <CodeStep
          api={{ verifyCode: api.changeNumber, now: api.now }}
          session={{ mode: 'production', phone: sent.phone, resendAt: sent.resendAt }}
          reload={async () => undefined}
          onVerified={onChanged}
          resend={() => send(sent.to)}
          onChangeNumber={() => setSent(undefined)}
          explain={explain}
        />
      )}
      <button type="button" class="link" onClick={onCancel}>
        {words.portal.cancel}
      </button>
    </WordsContext>
  );
}
