import { useState } from 'preact/hooks';
import { PasskeyButton } from '../../page-kit/passkey/passkey-button.tsx';
import { CodeStep } from '../../page-kit/phone/code-step.tsx';
import { ContinuityStep } from '../../page-kit/phone/continuity-step.tsx';
import { PhoneStep } from '../../page-kit/phone/phone-step.tsx';
import { useTexts } from '../../page-kit/texts/words.ts';
import type { Explain } from '../../page-kit/use-work.ts';
import type { PortalApi, Visit } from './api.ts';

type Props = {
  api: PortalApi;
  visit: Exclude<Visit, { step: 'open' }>;
  reload: () => Promise<Visit | undefined>;
  explain: Explain;
  /** Called when a step succeeded, so that an old notice can be removed. */
  onProgress: () => void;
};

/** First the number, then the code, as on the login pages. */
export function SignIn({ api, visit, reload, explain, onProgress }: Props) {
  const texts = useTexts();
  const [phone, setPhone] = useState<string>();
  const [isChanging, setChanging] = useState(false);

  async function send(to: string): Promise<void> {
    await api.sendCode(to);
    setPhone(to);
    setChanging(false);
    onProgress();
    await reload();
  }

  function signedIn(): void {
    onProgress();
    void reload();
  }

  if (visit.step === 'phone' || isChanging) {
    return (
      <PhoneStep detail={texts.phone.detail} initial={{ typed: phone ?? '' }} onSend={send} explain={explain}>
        <PasskeyButton api={api} text={texts.passkey.use} onSignedIn={signedIn} explain={explain} />
      </PhoneStep>
    );
  }
  if (visit.step === 'continuity')
    return <ContinuityStep api={api} session={visit} onOpen={signedIn} explain={explain} />;
  return (
    <CodeStep
      api={api}
      // whether it is a sandbox fan is not known before the code is checked
      session={{ ...visit, mode: 'production' }}
      reload={async () => {
        const current = await reload();
        return current?.step === 'code' ? current : undefined;
      }}
      onVerified={signedIn}
      resend={phone === undefined ? undefined : () => send(phone)}
      onChangeNumber={() => setChanging(true)}
      explain={explain}
    />
  );
}
