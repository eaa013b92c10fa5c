import { BookOpenIcon } from '@heroicons/react/24/outline';
import { Paper, Typography } from '@mantine/core';
import { useParams } from 'wouter';
import SECTIONS from '../../../docs/runbook/incidents.md';
import { EmptyState } from '../../kit/parts/instead.tsx';
import { Page, TextLink } from '../../kit/parts/page.tsx';
import { RUNBOOK } from '../places.ts';

const ABOVE = { title: 'Runbook', href: RUNBOOK };

/** What operators do about one fault. */
export function RunbookSectionPage() {
  const { section } = useParams<{ section: string }>();
  const html = SECTIONS[section];
  return (
    <Page title={section} above={[ABOVE]}>
      <Paper withBorder p="md">
        {html === undefined ? (
          <EmptyState icon={<BookOpenIcon />} title="The runbook has no such section">
            <TextLink href={RUNBOOK}>All sections</TextLink>
          </EmptyState>
        ) : (
          // of this release, rendered when the page was built
          // biome-ignore lint/security/noDangerouslySetInnerHtml: no text of anybody else is in it
          <Typography maw={720} fz="sm" dangerouslySetInnerHTML={{ __html: html }} />
        )}
      </Paper>
    </Page>
  );
}

/** The faults that the runbook has a section for. */
export function RunbookPage() {
  return (
    <Page title="Runbook" description="What each alert means, where to look first, and what mends it.">
      <Paper withBorder p="md">
        <ul className="plain-list">
          {Object.keys(SECTIONS).map((section) => (
            <li key={section}>
              <TextLink href={`${RUNBOOK}/${section}`}>{section}</TextLink>
            </li>
          ))}
        </ul>
      </Paper>
    </Page>
  );
}
