import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';

interface Tab {
  name: string;
  title: string;
  content: ReactNode;
}

/** Parts of a page, of which `?tab=` names the one that is shown; the first one by default. */
export function PageTabs({ tabs }: { tabs: readonly Tab[] }) {
  const [params, setParams] = useSearchParams();
  const first = tabs[0]?.name ?? null;
  const shown = tabs.find(({ name }) => name === params.get('tab'))?.name ?? first;
  return (
    <Tabs
      value={shown}
      onChange={(next) => setParams(next === null || next === first ? {} : { tab: next })}
      keepMounted={false}
    >
      <Tabs.List className="page-tabs">
        {tabs.map(({ name, title }) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name} pt="md">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
