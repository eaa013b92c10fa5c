import { useParams } from 'wouter';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { findIn } from '../../kit/parts/instead.tsx';
import { ResetPage } from '../../kit/sandbox/reset.tsx';
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

/** The reset of a partner's sandbox. */
export function ResetSandboxPage() {
  const { id: partnerId } = useParams<{ id: string }>();
  const reset = useChange(RESET);
  const { found, instead } = findIn(
    useView('sandbox-contents', CONTENTS, { partnerId }),
    'sandbox',
    ({ partner, sandboxContents }) => partner && { partner, contents: sandboxContents },
  );
  if (!found) return instead;
  const { name } = found.partner;
  const href = `/partners/${partnerId}`;
  return (
    <ResetPage
      {...found}
      reset={(request) => reset.mutateAsync({ partnerId, ...request })}
      description={`Gives the developers of ${name} an empty sandbox. Clients and shared test events are kept.`}
      above={[
        { title: 'Partners', href: '/partners' },
        { title: name, href },
      ]}
      clientsHref={href}
      back={{ title: `Back to ${name}`, href }}
    />
  );
}
