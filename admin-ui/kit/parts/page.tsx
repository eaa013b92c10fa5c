import { BeakerIcon, GlobeAltIcon } from '@heroicons/react/24/outline';
import {
  Anchor,
  type AnchorProps,
  Breadcrumbs,
  Button,
  type ButtonProps,
  Group,
  Paper,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link, useLocation } from 'wouter';

interface PageProps {
  title: string;
  /** Beside the title: the mode of what it shows, and other badges. */
  mode?: 'SANDBOX' | 'PRODUCTION' | undefined;
  marks?: ReactNode;
  /** One sentence under the title. */
  description?: ReactNode;
  /** The views above this one. */
  above?: { title: string; href: string }[];
  /** Buttons, at the right. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The title of the page as it was served. */
const APPLICATION = document.title;

/** The view that last got the focus; the first load does not move it. */
let focusedView: string | undefined;

/** Moves the focus to the title on navigation, for keyboards and screen readers. */
function useFocusOnTitle() {
  const [location] = useLocation();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focusedView !== undefined && focusedView !== location) title.current?.focus({ preventScroll: true });
    focusedView = location;
  }, [location]);
  return title;
}

/** A view with its title, which is also the tab's, its breadcrumbs and its actions. */
export function Page({ title, mode, marks, description, above = [], actions, children }: PageProps) {
  const heading = useFocusOnTitle();
  useEffect(() => {
    document.title = `${title} · ${APPLICATION}`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="md">
        <Stack gap={4} miw={0}>
          {above.length > 0 && (
            <nav aria-label="Breadcrumbs">
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
            {mode && <ModeMark mode={mode} />}
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

/** Sandbox or production. The two differ in icon, colour and word, so that they are not confused. */
export function ModeMark({ mode }: { mode: 'SANDBOX' | 'PRODUCTION' }) {
  const sandbox = mode === 'SANDBOX';
  const Icon = sandbox ? BeakerIcon : GlobeAltIcon;
  return (
    <span className={`mode-mark ${sandbox ? 'sandbox' : 'production'}`}>
      <Icon width={13} />
      {sandbox ? 'Sandbox' : 'Production'}
    </span>
  );
}

interface SectionProps {
  title: string;
  /** One of several that may have the same title: no landmark. */
  isEntry?: boolean;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a view with a heading of its own. */
export function Section({ title, isEntry = false, description, actions, children }: SectionProps) {
  const id = useId();
  return (
    <Paper component={isEntry ? 'article' : 'section'} aria-labelledby={id} withBorder p="md" radius="md">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={2}>
            <Title order={2} id={id}>
              {title}
            </Title>
            {description !== undefined && (
              <Text c="dimmed" size="sm">
                {description}
              </Text>
            )}
          </Stack>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

type To<Props> = Props & { href: string; children: ReactNode; 'aria-label'?: string };

/** A link to another view, in the font of the text around it unless it has a size. */
export function ViewLink(props: To<AnchorProps>) {
  return <Anchor component={Link} inherit={props.size === undefined} {...props} />;
}

/** A link to another view within a sentence. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor component={Link} href={href} inherit underline="always">
      {children}
    </Anchor>
  );
}

/** A link within a sentence that leaves the application, as to the documentation. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} inherit underline="always">
      {children}
    </Anchor>
  );
}

/** A link to another view that looks like a button. */
export function LinkButton(props: To<ButtonProps>) {
  return <Button component={Link} variant="default" {...props} />;
}

export type QuickLink = [title: string, href: string, description: string];

/** Links to other views, each with what is there. */
export function QuickLinks({ links }: { links: readonly QuickLink[] }) {
  return (
    <ul className="plain-list quick-links">
      {links.map(([title, href, description]) => (
        <li key={href}>
          <ViewLink href={href} size="sm">
            {title}
          </ViewLink>{' '}
          <span className="aside">{description}</span>
        </li>
      ))}
    </ul>
  );
}
