import { Combobox, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type Icon, IconArrowRight, IconKeyboard, IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useViewer } from '../data/viewer.ts';
import { NAVIGATION } from './navigation.ts';
import { useHits } from './use-hits.ts';

interface SearchProps {
  onClose: () => void;
  onHelp: () => void;
}

/** What the search leads to besides what the service finds: views and what can be begun. */
interface Way {
  title: string;
  description: string;
  href: string;
  icon: Icon;
  right?: string;
}

const BEGINNINGS: Way[] = [
  { title: 'Register a client', description: 'The wizard for sandbox and production', href: '/clients/new' },
  { title: 'Register a partner', description: 'A company that integrates', href: '/partners?register=1' },
].map((way) => ({ ...way, icon: IconArrowRight, right: 'clients:write' }));

/** Stands for the list of keys, which has no address. */
const HELP: Way = {
  title: 'Keyboard shortcuts',
  description: 'What the keyboard can do',
  href: '#help',
  icon: IconKeyboard,
};

/** Ctrl K or ⌘ K: views, actions, and whatever the service finds for a name, an identifier, a phone or a signature. */
export function Search({ onClose, onHelp }: SearchProps) {
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query.trim(), 200);
  const [, navigate] = useLocation();
  const { has } = useViewer();
  const { hits, failure, isSearching } = useHits(asked);
  const ways = [...NAVIGATION.flatMap(({ entries }) => entries), ...BEGINNINGS, HELP]
    .filter(({ right }) => right === undefined || has(right))
    .filter(({ title, description }) => `${title} ${description}`.toLowerCase().includes(query.trim().toLowerCase()));
  const combobox = useCombobox({ opened: true });
  const { selectFirstOption } = combobox;
  const first = hits[0]?.href ?? ways[0]?.href;
  useEffect(() => {
    if (first !== undefined) selectFirstOption();
  }, [first, selectFirstOption]);

  const follow = (href: string) => {
    onClose();
    if (href === HELP.href) onHelp();
    else navigate(href);
  };

  return (
    <Modal.Root opened onClose={onClose} size="lg" yOffset="10vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <Combobox store={combobox} onOptionSubmit={follow}>
          <Combobox.EventsTarget withExpandedAttribute>
            <TextInput
              data-autofocus
              variant="unstyled"
              size="lg"
              role="combobox"
              aria-label="Search for anything"
              placeholder="A name, an id, a phone, a wallet, a signature…"
              leftSection={<IconSearch size={18} aria-hidden />}
              className="search-all"
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
          </Combobox.EventsTarget>
          <Combobox.Options className="found" aria-label="Found">
            {hits.length > 0 && (
              <Combobox.Group label="Found">
                {hits.map(({ id, href, title, subtitle, kind }) => (
                  <Combobox.Option key={id} value={href} className="found-entry">
                    <Entry title={title} description={subtitle} />
                    <Text span size="xs" c="dimmed">
                      {kind}
                    </Text>
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            )}
            {ways.length > 0 && (
              <Combobox.Group label="Go to">
                {ways.map(({ title, description, href, icon: WayIcon }) => (
                  <Combobox.Option key={href} value={href} className="found-entry">
                    <WayIcon size={18} stroke={1.6} aria-hidden />
                    <Entry title={title} description={description} />
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            )}
          </Combobox.Options>
        </Combobox>
        <Text size="sm" c="dimmed" ta="center" role="status" className="found-nothing">
          {first === undefined &&
            (failure?.message ??
              (isSearching ? 'Searching…' : 'Nothing found. Whole ids, phones and signatures work best.'))}
        </Text>
      </Modal.Content>
    </Modal.Root>
  );
}

function Entry({ title, description }: { title: string; description: string }) {
  return (
    <span className="found-text">
      <Text span size="sm" fw={500}>
        {title}
      </Text>
      <Text span size="xs" c="dimmed">
        {description}
      </Text>
    </span>
  );
}
