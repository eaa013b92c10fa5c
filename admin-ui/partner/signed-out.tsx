import { BuildingOffice2Icon } from '@heroicons/react/24/outline';
import { Button, Center, Divider, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type Failure, failureOf } from '../kit/data/call.ts';
import mark from '../kit/icon.svg';
import { FailureAlert } from '../kit/parts/instead.tsx';
import { notify } from '../kit/parts/notify.tsx';
import { OutsideLink } from '../kit/parts/page.tsx';
import { Quiet } from '../kit/parts/text.tsx';
import { askForLink, DOCS, providerAddress } from './address.ts';
import { useSignedIn } from './data/viewer.ts';

/** Shown instead of a view without a session: the sign-in by e-mail, or with the own provider of who was here last. */
export function SignedOut() {
  const [asked, setAsked] = useState('');
  const provider = lastProvider();
  const title = asked === '' ? 'Sign in to the partner workspace' : 'Check your mail';
  useOtherTab();
  useEffect(() => {
    document.title = `${title} · Partner workspace`;
  }, [title]);
  const ask = async (email: string) => {
    await askForLink(email);
    setAsked(email);
  };
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p={{ base: 'lg', xs: 'xl' }} radius="md" w="100%" maw={440}>
        <Stack gap="md">
          <img src={mark} alt="" width={36} height={36} />
          <Title order={1}>{title}</Title>
          {asked !== '' ? (
            <LinkAsked email={asked} onAgain={() => ask(asked)} onOther={() => setAsked('')} />
          ) : (
            <>
              {provider && (
                <>
                  <Button
                    component="a"
                    href={providerAddress(provider.id)}
                    leftSection={<BuildingOffice2Icon width={16} />}
                  >
                    Sign in with {provider.name}
                  </Button>
                  <Divider label="or" labelPosition="center" />
                </>
              )}
              <AskForLink isMain={provider === undefined} ask={ask} />
            </>
          )}
        </Stack>
        <Text size="xs" c="dimmed" mt="xl">
          The workspace is for invited partners. <OutsideLink href={DOCS}>Read the documentation</OutsideLink>, which
          needs no sign-in.
        </Text>
      </Paper>
    </Center>
  );
}

/** The link opens in another tab; this one goes on once it is looked at again. */
function useOtherTab(): void {
  const { refetch } = useSignedIn();
  useWindowEvent('focus', () => {
    void refetch().then(({ isSuccess }) => isSuccess && window.location.reload());
  });
}

interface AskForLinkProps {
  /** Whether there is no other way to sign in here. */
  isMain: boolean;
  ask: (email: string) => Promise<void>;
}

/** Asks for a sign-in link by e-mail. */
function AskForLink({ isMain, ask }: AskForLinkProps) {
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
        <Quiet>
          New here? Open the link in your invitation. It is valid for 7 days; an administrator of your company’s
          workspace can send another, and so can the people who run this service.
        </Quiet>
      </Stack>
    </form>
  );
}

interface LinkAskedProps {
  email: string;
  onAgain: () => Promise<void>;
  onOther: () => void;
}

/** Until another link can be asked for. */
const WAIT_MS = 60_000;

/** After a link was asked for. Nothing here depends on whether the address is known. */
function LinkAsked({ email, onAgain, onOther }: LinkAskedProps) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isWaiting, setWaiting] = useState(true);
  const place = useRef<HTMLDivElement>(null);
  // so that a screen reader announces the new step
  useEffect(() => place.current?.focus(), []);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setWaiting(false), WAIT_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  const again = async () => {
    setFailure(null);
    try {
      await onAgain();
      setWaiting(true);
      notify('Another link is on its way.');
    } catch (thrown) {
      setFailure(failureOf(thrown));
    }
  };
  return (
    <Stack gap="md" ref={place} tabIndex={-1} className="quiet-focus" role="status">
      <Text size="sm">
        If <strong className="breakable">{email}</strong> belongs to a member of a partner, a sign-in link is on its
        way. Open it in this browser within 15 minutes. It works once.
      </Text>
      <Quiet>Nothing there? Look in the spam folder, and check that the address is the one that was invited.</Quiet>
      <FailureAlert failure={failure} title="No link was sent" />
      <Group gap="xs">
        <Button variant="default" onClick={onOther}>
          Use another address
        </Button>
        <Button variant="subtle" disabled={isWaiting} onClick={() => void again()}>
          Send again
        </Button>
      </Group>
    </Stack>
  );
}

const KEY = 'workspace.provider';

interface LastProvider {
  /** Of the partner. */
  id: string;
  name: string;
}

/** The partner with an own provider whose member was signed in last in this browser. */
function lastProvider(): LastProvider | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return undefined;
    const { id, name } = stored as Partial<LastProvider>;
    return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers it, or forgets the one before where members sign in by e-mail. */
export function keepProvider({ id, name, signIn }: LastProvider & { signIn: 'EMAIL' | 'PROVIDER' }): void {
  try {
    if (signIn === 'PROVIDER') localStorage.setItem(KEY, JSON.stringify({ id, name }));
    else localStorage.removeItem(KEY);
  } catch {
    // the browser's storage is full or switched off: the e-mail form works without
  }
}
