import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';

interface PageProps {
  title: string;
  /** Beside the title: badges. */
  marks?: ReactNode;
  /** One sentence under the title. */
  description?: ReactNode;
  /** The views above this one. */
  above?: { title: string; href: string }[];
  /** Buttons, at the right. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The view on which the focus was last put; at the first load it stays where the browser has it. */
let focusedView: string | undefined;

/** Brings the focus to the title of each view that is navigated to, so that keyboard and screen reader begin there. */
function useFocusOnTitle() {
  const [location] = useLocation();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focusedView !== undefined && focusedView !== location) title.current?.focus({ preventScroll: true });
    focusedView = location;
  }, [location]);
  return title;
}

/** A view: its title, also that of the browser's tab, where it lies, and what can be done with the whole of it. */
export function Page({ title, marks, description, above = [], actions, children }: PageProps) {
  const heading = useFocusOnTitle();
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="md">
        <Stack gap={4} miw={0}>
          {above.length > 0 && (
            <nav aria-label="Where this is">
              <Breadcrumbs separatorMargin={6}>
                {above.map((view) => (
                  <Anchor key={view.href} component={Link} href={view.href} size="sm">
                    {view.title}
                  </Anchor>
                ))}
              </Breadcrumbs>
            </nav>
          )}
          <Group gap="xs">
            <Title order={1} ref={heading} tabIndex={-1} className="quiet-focus">
              {title}
            </Title>
            {marks}
          </Group>
          {description !== undefined && (
            <Text c="dimmed" size="sm" maw={720}>
              {description}
            </Text>
          )}
        </Stack>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
