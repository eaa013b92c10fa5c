import { Code, Text } from '@mantine/core';

/** Lines of a registration (URIs, scopes), each as code. */
export function CodeList({ of }: { of: readonly string[] }) {
  return (
    <ul className="plain-list">
      {of.map((line) => (
        <li key={line}>
          <Code className="breakable">{line}</Code>
        </li>
      ))}
    </ul>
  );
}

/** Which pages may call the API from a browser; the service derives it from the redirect URIs. */
export function Origins({ origins }: { origins: readonly string[] }) {
  if (origins.length > 0) return <CodeList of={origins} />;
  return (
    <Text size="sm" c="dimmed">
      None yet. They follow from the redirect URIs.
    </Text>
  );
}
