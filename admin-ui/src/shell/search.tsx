import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconArrowRight, IconKeyboard, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useViewer } from '../data/viewer.ts';
import { NAVIGATION } from './navigation.ts';
import { useHits } from './use-hits.ts';

export const [searchStore, searchActions] = createSpotlight();

/** Ctrl K or ⌘ K: views, actions, and whatever the service finds for a name, an identifier, a phone or a signature. */
export function Search({ onHelp }: { onHelp: () => void }) {
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query.trim(), 200);
  const [, navigate] = useLocation();
  const { has } = useViewer();
  const { hits, failure, isSearching } = useHits(asked);
  const views = NAVIGATION.flatMap(({ entries }) => entries)
    .filter(({ right }) => right === undefined || has(right))
    .map(({ title, says, href, icon: Icon }) => ({ title, says, icon: <Icon size={18} aria-hidden />, href }));
  const actions = has('clients:write')
    ? [
        { title: 'Register a client', says: 'The wizard for sandbox and production', href: '/clients/new' },
        { title: 'Register a partner', says: 'A company that integrates', href: '/partners?register=1' },
      ].map((action) => ({ ...action, icon: <IconArrowRight size={18} aria-hidden /> }))
    : [];
  const entries = [...views, ...actions].filter(({ title, says }) => contains(`${title} ${says}`, query));
  const isHelp = contains('Keyboard shortcuts', query);
  const nothing = hits.length === 0 && entries.length === 0 && !isHelp;

  return (
    <Spotlight.Root
      store={searchStore}
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      clearQueryOnClose
      scrollable
      maxHeight="60vh"
      attributes={{ content: { 'aria-label': 'Search' } }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.5 }}
    >
      <Spotlight.Search
        placeholder="A name, an id, a phone, a wallet, a signature…"
        aria-label="Search for anything"
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList aria-label="Found">
        {hits.length > 0 && (
          <Spotlight.ActionsGroup label="Found">
            {hits.map(({ id, href, title, subtitle, kind }) => (
              <Entry key={id} title={title} says={subtitle} mark={kind} onClick={() => navigate(href)} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {entries.length > 0 && (
          <Spotlight.ActionsGroup label="Go to">
            {entries.map(({ title, says, icon, href }) => (
              <Entry key={href} title={title} says={says} icon={icon} onClick={() => navigate(href)} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {isHelp && (
          <Entry title="Keyboard shortcuts" says="" icon={<IconKeyboard size={18} aria-hidden />} onClick={onHelp} />
        )}
      </Spotlight.ActionsList>
      {nothing && (
        <Spotlight.Empty role="status">
          {failure?.message ??
            (isSearching ? 'Searching…' : 'Nothing found. Whole ids, phones and signatures work best.')}
        </Spotlight.Empty>
      )}
    </Spotlight.Root>
  );
}

interface EntryProps {
  title: string;
  says: string;
  icon?: ReactNode;
  mark?: string;
  onClick: () => void;
}

function Entry({ title, says, icon, mark, onClick }: EntryProps) {
  return (
    <Spotlight.Action
      label={title}
      description={says === '' ? undefined : says}
      leftSection={icon}
      rightSection={
        mark && (
          <Text span size="xs" c="dimmed">
            {mark}
          </Text>
        )
      }
      onClick={onClick}
    />
  );
}

function contains(text: string, query: string): boolean {
  return text.toLowerCase().includes(query.trim().toLowerCase());
}
