import { Code, Text } from '@mantine/core';

/** Which pages may call the API from a browser: it follows from the redirect URIs, and is shown so that nobody has to guess. */
export function Origins({ origins }: { origins: readonly string[] }) {
  if (origins.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None yet: they follow from the redirect URIs.
      </Text>
    );
  }
  return (
    <ul className="plain-list">
      {origins.map((origin) => (
        <li key={origin}>
          <Code>{origin}</Code>
        </li>
      ))}
    </ul>
  );
}
