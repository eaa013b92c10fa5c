import { List } from '@mantine/core';
import { Section } from '../parts/section.tsx';
import { ViewLink } from '../parts/view-link.tsx';
import type { KitConfiguration } from './kit-configuration.tsx';

interface KitStepsProps {
  configuration: KitConfiguration;
  /** Where it shows what happened. */
  help: { title: string; href: string };
}

/** From a starter kit to the first call. */
export function KitSteps({ configuration, help }: KitStepsProps) {
  const [user] = configuration.test_users;
  return (
    <Section title="Next steps">
      <List type="ordered" size="sm" spacing={10}>
        <List.Item>
          Put the configuration into the app, with any OpenID Connect library. It finds the rest at{' '}
          <code className="breakable">{configuration.auth_url}/.well-known/openid-configuration</code>. The client has
          no secret: PKCE with S256.
        </List.Item>
        <List.Item>
          Open the app’s sign-in. Enter <code>{user?.phone}</code>, then <code>{user?.code}</code>, and allow the
          request.
        </List.Item>
        <List.Item>
          Exchange the code, and call <code className="breakable">GET {configuration.api_url}/tickets</code> with the
          access token. It lists the 3 tickets.
        </List.Item>
        <List.Item>
          Something doesn’t work?{' '}
          <ViewLink href={help.href} underline="always">
            {help.title}
          </ViewLink>{' '}
          shows each step, and why one was refused.
        </List.Item>
      </List>
    </Section>
  );
}
