import { useState } from 'preact/hooks';
import type { Failure } from '../../../page-kit/failure.ts';
import { CodeStep } from '../../../page-kit/phone/code-step.tsx';
import type { PortalApi, Visit } from '../api.ts';
import { NumberForm } from './number-form.tsx';

type Props = {
  api: PortalApi;
  visit: Exclude<Visit, { step: 'open' }>;
  reload: () => Promise<Visit | undefined>;
  explain: (failure: Failure) => string | undefined;
  /** Something went well, so that an old notice can go. */
  onProgress: () => void;
};

/** First the number, then the code; the same steps as on the login pages, for nobody but the fan. */
export function SignIn({ api, visit, reload, explain, onProgress }: Props) {
  const [phone, setPhone] = useState<string>();
  const [isChanging, setChanging] = useState(false);

  async function send(to: string): Promise<void> {
    await api.sendCode(to);
    setPhone(to);
    setChanging(false);
    onProgress();
    await reload();
  }

  if (visit.step === 'phone' || isChanging) return <NumberForm known={phone} onSend={send} explain={explain} />;
  return (
    <CodeStep
      api={api}
      // until the fan is known there is no telling sandbox from production
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
