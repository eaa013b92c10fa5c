import { Anchor, Stack, Text, Title } from '@mantine/core';
import { CodeBlock } from '../../kit/parts/copy-text.tsx';
import { FailureAlert } from '../../kit/parts/failure-alert.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { ViewLoading } from '../../kit/parts/view-loading.tsx';
import { DOCS } from '../address.ts';
import { useAddresses } from '../data/addresses.ts';
import type { ClientData } from './document.ts';
import { sampleCalls, settingsOf } from './sample-calls.ts';

/** How an app uses the client: its settings, and the three calls from sign-in to tickets. */
export function ClientCalls({ client }: { client: ClientData }) {
  const { data, error, refetch } = useAddresses();
  if (error) return <FailureAlert failure={error} title="The addresses could not be loaded" retry={refetch} />;
  if (!data) return <ViewLoading />;
  const { addresses } = data;
  return (
    <Stack gap="md">
      <Section
        title="Settings"
        description="Nothing here is secret: the client is public. Any OpenID Connect library finds the rest by discovery."
      >
        <CodeBlock text={settingsOf(addresses, client)} label="Settings as .env" />
      </Section>
      <Section
        title="First calls"
        description={
          <>
            A library does the first two for you.{' '}
            <Anchor href={DOCS} inherit underline="always">
              The documentation
            </Anchor>{' '}
            explains each step.
          </>
        }
      >
        {sampleCalls(addresses, client).map(({ title, text, wraps }, index) => (
          <Stack key={title} gap="xs">
            <Title order={3}>
              {index + 1}. {title}
            </Title>
            <CodeBlock text={text} label={title} wraps={wraps} />
          </Stack>
        ))}
        <Text size="sm" c="dimmed">
          Replace the words that begin with $: they are new for each sign-in.
        </Text>
      </Section>
    </Stack>
  );
}
