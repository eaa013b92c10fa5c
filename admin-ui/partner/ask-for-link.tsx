import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Failure, failureOf } from '../kit/data/failure.ts';
import { FailureAlert } from '../kit/parts/failure-alert.tsx';

interface AskForLinkProps {
  /** Whether there is no other way to sign in here. */
  isMain: boolean;
  ask: (email: string) => Promise<void>;
}

/** Asks for a sign-in link by e-mail. */
export function AskForLink({ isMain, ask }: AskForLinkProps) {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setFailure(null);
    if (!/^\S+@\S+\.\S+$/.test(email.trim())) {
      setError('Enter your e-mail address, such as name@company.com.');
      event.currentTarget.querySelector('input')?.focus();
      return;
    }
    setSending(true);
    try {
      await ask(email.trim());
    } catch (thrown) {
      setFailure(failureOf(thrown));
    } finally {
      setSending(false);
    }
  };
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <Stack gap="md">
        <TextInput
          type="email"
          label="E-mail address"
          description="The one that you were invited with. We send you a link that signs you in."
          autoComplete="email"
          inputMode="email"
          autoFocus={isMain}
          maxLength={254}
          value={email}
          error={error}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setError(undefined);
          }}
        />
        <FailureAlert failure={failure} title="No link was sent" />
        <Button type="submit" variant={isMain ? 'filled' : 'default'} loading={isSending}>
          Send me a link
        </Button>
        <Text size="sm" c="dimmed">
          New here? Open the link in your invitation. It is valid for 7 days; an administrator of your company’s
          workspace can send another, and so can the people who run this service.
        </Text>
      </Stack>
    </form>
  );
}
