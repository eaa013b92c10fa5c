import { ArrowRightIcon, MagnifyingGlassIcon, QuestionMarkCircleIcon } from '@heroicons/react/24/outline';
import { Combobox, Divider, Group, Modal, Stack, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue, useId } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { Small } from '../../kit/parts/text.tsx';
import { useReturnedFocus } from '../../kit/parts/use-returned-focus.ts';
import type { Icon } from '../../kit/shell/frame.tsx';
import { graphql } from '../data/graphql.ts';
import { useViewer } from '../data/viewer.ts';
import { storyOf, viewOf } from '../places.ts';
import { NAVIGATION, OWN_VIEWS } from './navigation.ts';

const SEARCH = graphql(`
  query Search($text: String!) {
    search(text: $text) { kind id title subtitle }
  }
`);

interface SearchProps {
  onClose: () => void;
  onHelp: () => void;
}

/** A view or an action that the search leads to. */
interface Destination {
  title: string;
  description: string;
  href: string;
  icon: Icon;
  right?: string;
}

const ACTIONS: Destination[] = [
  { title: 'Register a client', description: 'For sandbox or production', href: '/clients/new' },
  {
    title: 'Register a partner',
    description: 'A company that integrates with the service',
    href: '/partners?register=1',
  },
].map((action) => ({ ...action, icon: ArrowRightIcon, right: 'clients:write' }));

/** The list of keys; it has no address of its own. */
const HELP: Destination = {
  title: 'Keyboard shortcuts',
  description: 'All keyboard shortcuts',
  href: '#help',
  icon: QuestionMarkCircleIcon,
};

/** Ctrl K or ⌘ K: views, actions, and what the service finds for a name, an identifier, a phone or a signature. */
export function Search({ onClose, onHelp }: SearchProps) {
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query.trim(), 200);
  const [, navigate] = useLocation();
  const { has } = useViewer();
  useReturnedFocus();
  const view = useView('search', SEARCH, { text: asked }, { enabled: asked !== '' });
  const { data, error, isFetching, isPlaceholderData } = view;
  const found = asked === '' ? [] : (data?.search ?? []);
  const isSettled = asked === query.trim() && data !== undefined && !isPlaceholderData;
  const hits = found.map((hit) => ({ ...hit, href: viewOf(hit.kind, hit.id) ?? storyOf(hit.id) }));
  const destinations = [...NAVIGATION.flatMap(({ entries }) => entries), ...OWN_VIEWS, ...ACTIONS, HELP]
    .filter(({ right }) => right === undefined || has(right))
    .filter(({ title, description }) => `${title} ${description}`.toLowerCase().includes(query.trim().toLowerCase()));
  // Escape in the field ends the search: the list is open as long as the search is
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const listId = useId();
  const [activeId, setActiveId] = useState<string>();
  // the modal mounts it later than this component
  const [list, setList] = useState<HTMLElement | null>(null);
  const { selectFirstOption } = combobox;
  const first = hits[0]?.href ?? destinations[0]?.href;
  useEffect(() => {
    setActiveId(first === undefined || list === null ? undefined : (selectFirstOption() ?? undefined));
  }, [first, list, selectFirstOption]);
  // the store moves the selection without an event
  const followSelection = () =>
    requestAnimationFrame(() => setActiveId(list?.querySelector('[data-combobox-selected]')?.id));

  const optionOf = (href: string) => {
    const id = `${listId}-${href}`;
    return { id, value: href, 'aria-selected': id === activeId };
  };

  const follow = (href: string) => {
    onClose();
    if (href === HELP.href) onHelp();
    else navigate(href);
  };
  const followFound = useEntered(query.trim(), isSettled, () => first !== undefined && follow(first));

  return (
    <Modal.Root opened onClose={onClose} size="lg" yOffset="10vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <Combobox store={combobox} onOptionSubmit={follow}>
          <Combobox.EventsTarget withAriaAttributes={false}>
            <TextInput
              data-autofocus
              variant="unstyled"
              size="lg"
              role="combobox"
              aria-expanded
              aria-haspopup="listbox"
              aria-autocomplete="list"
              aria-controls={listId}
              aria-activedescendant={activeId}
              autoComplete="off"
              aria-label="Search for anything"
              placeholder="Name, ID, phone, wallet, signature…"
              leftSection={<MagnifyingGlassIcon width={18} />}
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
              onKeyDown={followSelection}
              onKeyDownCapture={(event) => {
                if (event.key !== 'Enter' || isSettled || destinations.length > 0) return;
                // what is listed is of an earlier text, or nothing yet
                event.preventDefault();
                event.stopPropagation();
                followFound();
              }}
            />
          </Combobox.EventsTarget>
          <Divider color="var(--line)" />
          <Combobox.Options ref={setList} id={listId} mah="60vh" p={6} style={{ overflowY: 'auto' }} aria-label="Found">
            {hits.length > 0 && (
              <Combobox.Group label="Found">
                {hits.map(({ id, href, title, subtitle, kind }) => (
                  <Combobox.Option key={id} {...optionOf(href)} className="found-entry">
                    <Entry title={title} description={subtitle} kind={kind.toLowerCase()} />
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            )}
            {destinations.length > 0 && (
              <Combobox.Group label="Go to">
                {destinations.map(({ href, ...destination }) => (
                  <Combobox.Option key={href} {...optionOf(href)} className="found-entry">
                    <Entry {...destination} />
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            )}
          </Combobox.Options>
        </Combobox>
        <div role="status">
          {first === undefined && (
            <Text size="sm" c="dimmed" ta="center" px="md" pb="md">
              {error?.message ??
                (isFetching ? 'Searching…' : 'No results. Enter IDs, phone numbers and signatures in full.')}
            </Text>
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Enter before the answer is there, as after pasting: what is found is followed when it is. */
function useEntered(text: string, isSettled: boolean, follow: () => void): () => void {
  const [entered, setEntered] = useState('');
  useEffect(() => {
    if (entered === '' || !isSettled) return;
    setEntered('');
    if (entered === text) follow();
  });
  return () => setEntered(text);
}

interface EntryProps {
  title: string;
  description: string;
  icon?: Icon;
  kind?: string;
}

function Entry({ title, description, icon: EntryIcon, kind }: EntryProps) {
  return (
    <Group gap="sm" wrap="nowrap">
      {EntryIcon && <EntryIcon width={18} />}
      <Stack component="span" gap={0} flex={1} miw={0}>
        <Text span size="sm" fw={500}>
          {title}
        </Text>
        <Small>{description}</Small>
      </Stack>
      {kind !== undefined && <Small>{kind}</Small>}
    </Group>
  );
}
