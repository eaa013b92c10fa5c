import { useState } from 'react';
import { useParams } from 'wouter';
import { useView } from '../../../console-kit/data/view.ts';
import { findIn } from '../../../console-kit/parts/found.tsx';
import { ModeMark } from '../../../console-kit/parts/marks.tsx';
import { Page } from '../../../console-kit/parts/page.tsx';
import { graphql } from '../data/graphql.ts';
import { type Ended, ResetForm } from '../sandbox/reset-form.tsx';
import { ResetResult } from '../sandbox/reset-result.tsx';

const CONTENTS = graphql(`
  query SandboxContents($partnerId: ID!) {
    partner(id: $partnerId) { id name }
    sandboxContents(partnerId: $partnerId) { permits grants events testUsers }
  }
`);

/** Empties a partner's sandbox once its name was typed. */
export function ResetSandboxPage() {
  const { id: partnerId } = useParams<{ id: string }>();
  const view = useView('sandbox-contents', CONTENTS, { partnerId });
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
        <ResetResult ended={ended} partner={partner} />
      ) : (
        <ResetForm partner={partner} contents={sandboxContents} onEnded={setEnded} />
      )}
    </Page>
  );
}
