import { Menu } from '@mantine/core';
import { IconBook, IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Frame } from '../kit/shell/frame.tsx';
import { PersonMenu } from '../kit/shell/person-menu.tsx';
import { useSamePerson } from '../kit/shell/use-same-person.ts';
import { DOCS, signOut } from './address.ts';
import { useViewer } from './data/viewer.ts';
import { NAVIGATION } from './navigation.ts';
import { RequestSearch } from './request-search.tsx';

/** Around every view: the sidebar, and the bar at the top with the search for a request. */
export function Shell({ children }: { children: ReactNode }) {
  const { viewer, refetch } = useViewer();
  useSamePerson(viewer.id, refetch);
  return (
    <Frame
      name="Partner workspace"
      navigation={NAVIGATION}
      search={<RequestSearch />}
      personMenu={
        <PersonMenu name={viewer.name} description={viewer.partner.name} signOut={signOut}>
          <Menu.Item
            component="a"
            href={DOCS}
            target="_blank"
            rel="noopener"
            leftSection={<IconBook size={16} aria-hidden />}
            rightSection={<IconExternalLink size={14} aria-hidden />}
          >
            Documentation
          </Menu.Item>
        </PersonMenu>
      }
    >
      {children}
    </Frame>
  );
}
