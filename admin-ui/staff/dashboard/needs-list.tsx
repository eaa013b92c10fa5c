import { Text } from '@mantine/core';
import { Section, TextLink, ViewLink } from '../../kit/parts/page.tsx';
import { Moment, StateMark } from '../../kit/parts/values.tsx';
import { RUNBOOK } from '../places.ts';
import type { Need } from './needs.ts';

/** What needs somebody, faults first; one quiet line where nothing does. */
export function NeedsList({ of }: { of: readonly Need[] }) {
  return (
    <Section title="Needs somebody">
      {of.length === 0 ? (
        <StateMark tone="good">Nothing needs anybody now.</StateMark>
      ) : (
        <ul className="plain-list">
          {of.map((need) => (
            <Entry key={`${need.title} ${need.href}`} need={need} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Entry({ need: { title, href, text, since, runbook, named = [], decision } }: { need: Need }) {
  return (
    <li className={`need ${decision === undefined ? 'bad' : 'waiting'}`}>
      <Text size="sm" fw={550}>
        {href === undefined ? title : <ViewLink href={href}>{title}</ViewLink>}
      </Text>
      {since !== undefined && (
        <span className="aside">
          <Moment at={since} />
        </span>
      )}
      {named.length > 0 && (
        <ul className="need-names">
          {named.map(({ name, href: of, aside }) => (
            <li key={of}>
              <TextLink href={of}>{name}</TextLink> {aside}
            </li>
          ))}
        </ul>
      )}
      {(text !== undefined || runbook !== undefined) && (
        <span className="aside">
          {text} {runbook !== undefined && <RunbookNote section={runbook} />}
        </span>
      )}
    </li>
  );
}

/** Where operators read on. */
export function RunbookNote({ section }: { section: string }) {
  return <TextLink href={`${RUNBOOK}/${section}`}>Runbook: {section}</TextLink>;
}
