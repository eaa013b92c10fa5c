import { Anchor, Button, Center, Divider, Paper, Stack, Text, Title } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconBuilding } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import mark from '../kit/icon.svg';
import { askForLink, DOCS, providerAddress } from './address.ts';
import { AskForLink } from './ask-for-link.tsx';
import { useSignedIn } from './data/viewer.ts';
import { lastProvider } from './last-provider.ts';
import { LinkAsked } from './link-asked.tsx';

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
                    leftSection={<IconBuilding size={16} aria-hidden />}
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
          The workspace is for invited partners.{' '}
          <Anchor href={DOCS} inherit underline="always">
            Read the documentation
          </Anchor>
          , which needs no sign-in.
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
