import { ArrowPathIcon } from '@heroicons/react/24/outline';
import type { ResultOf } from 'gql.tada';
import type { ReactNode } from 'react';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { ConfirmButton } from '../../kit/parts/dialog.tsx';
import { Waiting } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Page, Section } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, inUtc, Moment, StateMark, type Tone } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';

const KEYS = graphql(`
  query Keys {
    signingKeys { kid state createdAt signsFrom activatedAt retiredAt client { id name } }
  }
`);

const ROTATE = graphql(`
  mutation RotateKeys {
    rotateKeys { ${REFUSAL} ... on RotatedKeys { kid signsFrom } }
  }
`);

type KeyState = ResultOf<typeof KEYS>['signingKeys'][number]['state'];

const STATES: Record<KeyState, { title: string; label: string; tone: Tone; description: string }> = {
  CURRENT: { title: 'Current key', label: 'Signing', tone: 'good', description: 'Signs every new token.' },
  NEXT: {
    title: 'Next key',
    label: 'Waiting',
    tone: 'waiting',
    description: 'Published in advance, so that caches know it before it signs.',
  },
  RETIRING: {
    title: 'Previous key',
    label: 'Retiring',
    tone: 'quiet',
    description: 'Stays published until the last token it signed expires.',
  },
  GONE: { title: 'Retired key', label: 'Retired', tone: 'quiet', description: 'Its private key is deleted.' },
};

/** A key that was made for a failure in the sandbox. */
function ofClient(name: string, state: KeyState): (typeof STATES)[KeyState] {
  const description = `Signs tokens of the sandbox client ${name} only, whose developers test a key rotation.`;
  return { ...STATES[state], title: 'Key of one sandbox client', description };
}

/** The keys that sign tokens, and their rotation. */
export function KeysPage() {
  const view = useView('keys', KEYS, {}, { refetchInterval: 30_000 });
  const rotate = useChange(ROTATE);
  const keys = view.data?.signingKeys;
  const waiting = keys?.find(({ state }) => state === 'NEXT');
  return (
    <Page
      title="Keys"
      description="Tokens are signed with an RS256 key, which partners verify with the published key set (/.well-known/jwks.json). Keys rotate every 30 days. Rotate now if a key may have been exposed."
      actions={
        <ConfirmButton
          variant="filled"
          confirmLabel="Rotate"
          leftSection={<ArrowPathIcon width={16} />}
          right="keys:rotate"
          fresh
          disabledReason={waiting && 'The next key is already published and takes over automatically.'}
          title="Rotate the signing key"
          run={async () => {
            const { signsFrom } = await rotate.mutateAsync({});
            notify(`A new key is published. It starts signing at ${inUtc(signsFrom)}.`);
          }}
        >
          A new key is published and starts signing 5 minutes later, when every cache knows it. Tokens signed before
          stay valid until they expire. This can’t be undone.
        </ConfirmButton>
      }
    >
      <Waiting view={view} title="The keys could not be loaded" />
      {keys?.map(({ kid, state, createdAt, signsFrom, activatedAt, retiredAt, client }) => {
        const { title, label, tone, description } = client ? ofClient(client.name, state) : STATES[state];
        return (
          <Section
            key={kid}
            title={title}
            description={description}
            actions={<StateMark tone={tone}>{label}</StateMark>}
          >
            <Facts
              of={{
                kid: <CopyText text={kid} label="kid" />,
                Created: exactly(createdAt),
                'Signs from': exactly(signsFrom),
                'Signed from': exactly(activatedAt),
                'Signed until': exactly(retiredAt),
              }}
            />
          </Section>
        );
      })}
    </Page>
  );
}

/** Exact and relative time; undefined, which Facts leaves out, for null. */
function exactly(at: string | null): ReactNode {
  if (at === null) return undefined;
  return (
    <>
      {inUtc(at)} (<Moment at={at} />)
    </>
  );
}
