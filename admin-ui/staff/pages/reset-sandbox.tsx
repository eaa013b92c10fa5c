import { useState } from 'react';
import { useParams } from 'wouter';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { findIn } from '../../kit/parts/instead.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { ModeMark } from '../../kit/parts/values.tsx';
import { type Ended, ResetForm, ResetResult } from '../../kit/sandbox/reset.tsx';
import { graphql } from '../data/graphql.ts';

const CONTENTS = graphql(`
  query SandboxContents($partnerId: ID!) {
    partner(id: $partnerId) { id name }
    sandboxContents(partnerId: $partnerId) { permits grants events testUsers }
  }
`);

const RESET = graphql(`
  mutation ResetSandbox($partnerId: ID!, $confirm: String!, $keepTestUsers: Boolean!) {
    resetSandbox(partnerId: $partnerId, confirm: $confirm, keepTestUsers: $keepTestUsers) {
      ${REFUSAL} ... on SandboxReset { permits grants events testUsers }
    }
  }
`);

/** Empties a partner's sandbox once its name was typed. */
export function ResetSandboxPage() {
  const { id: partnerId } = useParams<{ id: string }>();
  const view = useView('sandbox-contents', CONTENTS, { partnerId });
  const reset = useChange(RESET);
  const [ended, setEnded] = useState<Ended>();
  const { found, instead } = findIn(
    view,
    'sandbox',
    ({ partner, sandboxContents }) => partner && { partner, sandboxContents },
  );
  if (!found) return instead;
  const { partner, sandboxContents } = found;
  return (
    <Page
      title="Reset sandbox"
      above={[
        { title: 'Partners', href: '/partners' },
        { title: partner.name, href: `/partners/${partner.id}` },
      ]}
      marks={<ModeMark mode="SANDBOX" />}
      description={`Gives the developers of ${partner.name} an empty sandbox. Clients and shared test events are kept.`}
    >
      {ended ? (
        <ResetResult
          ended={ended}
          partner={partner}
          next={{ title: 'choose a client', href: `/partners/${partner.id}` }}
          back={{ title: `Back to ${partner.name}`, href: `/partners/${partner.id}` }}
        />
      ) : (
        <ResetForm
          partner={partner}
          contents={sandboxContents}
          reset={(request) => reset.mutateAsync({ partnerId, ...request })}
          onEnded={setEnded}
          cancelHref={`/partners/${partner.id}`}
        />
      )}
    </Page>
  );
}
