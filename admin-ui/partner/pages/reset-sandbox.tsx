import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { findIn } from '../../kit/parts/instead.tsx';
import { ResetPage } from '../../kit/sandbox/reset.tsx';

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

/** The reset of the partner's own sandbox. */
export function ResetSandboxPage() {
  const reset = useChange(RESET);
  const { found, instead } = findIn(useView('sandbox-contents', CONTENTS, {}), 'sandbox', (data) => data);
  if (!found) return instead;
  return (
    <ResetPage
      partner={found.viewer.partner}
      contents={found.sandboxContents}
      reset={(request) => reset.mutateAsync(request)}
      description="Gives you an empty sandbox. Clients and shared test events are kept."
      clientsHref="/clients"
      back={{ title: 'Back to the overview', href: '/' }}
    />
  );
}
