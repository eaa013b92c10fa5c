import { useState } from 'preact/hooks';
import type { Failure } from '../../page-kit/failure.ts';
import { CodeStep } from '../../page-kit/phone/code-step.tsx';
import { PhoneStep } from '../../page-kit/phone/phone-step.tsx';
import { useTexts } from '../../page-kit/texts/words.ts';
import type { PortalApi, Visit } from './api.ts';

type Props = {
  api: PortalApi;
  visit: Exclude<Visit, { step: 'open' }>;
  reload: () => Promise<Visit | undefined>;
  explain: (failure: Failure) => string | undefined;
  /** Called when a step succeeded, so that an old notice can go. */
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

  if (visit.step === 'phone' || isChanging) {
    return <PhoneStep detail={texts.phone.detail} initial={{ typed: phone ?? '' }} onSend={send} explain={explain} />;
  }
  return (
    <CodeStep
      api={api}
      // whether it is a sandbox fan is not known before the code is checked
      session={{ ...visit, mode: 'production' }}
      reload={async () => {
        const current = await reload();
        return current?.step === 'code' ? current : undefined;
      }}
      onVerified={() => {
        onProgress();
        void reload();
      }}
      resend={phone === undefined ? undefined : () => send(phone)}
      onChangeNumber={() => setChanging(true)}
      explain={explain}
    />
  );
}
