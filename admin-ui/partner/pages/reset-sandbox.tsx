import { useState } from 'react';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { findIn } from '../../kit/parts/instead.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { ModeMark } from '../../kit/parts/values.tsx';
import { type Ended, ResetForm, ResetResult } from '../../kit/sandbox/reset.tsx';

const CONTENTS = graphql(`
  query SandboxContents {
    viewer { id partner { id name } }
    sandboxContents { permits grants events testUsers }
  }
`);

const RESET = graphql(`
  mutation ResetSandbox($confirm: String!, $keepTestUsers: Boolean!) {
    resetSandbox(confirm: $confirm, keepTestUsers: $keepTestUsers) {
      ${REFUSAL} ... on SandboxReset { permits grants events testUsers }
    }
  }
`);

/** Empties the sandbox once the partner's name was typed. */
export function ResetSandboxPage() {
  const view = useView('sandbox-contents', CONTENTS, {});
  const reset = useChange(RESET);
  const [ended, setEnded] = useState<Ended>();
  const { found, instead } = findIn(view, 'sandbox', (data) => data);
  if (!found) return instead;
  const { partner } = found.viewer;
  return (
    <Page
      title="Reset sandbox"
      marks={<ModeMark mode="SANDBOX" />}
      description="Gives you an empty sandbox. Clients and shared test events are kept."
    >
      {ended ? (
        <ResetResult
          ended={ended}
          partner={partner}
          next={{ title: 'choose a client', href: '/clients' }}
          back={{ title: 'Back to the overview', href: '/' }}
        />
      ) : (
        <ResetForm
          partner={partner}
          contents={found.sandboxContents}
          reset={(request) => reset.mutateAsync(request)}
          onEnded={setEnded}
          cancelHref="/"
        />
      )}
    </Page>
  );
}
