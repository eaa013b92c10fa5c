import { Code, Stack } from '@mantine/core';

/** In an empty list: how the company's systems bring things in. */
export function HowToImport({ what }: { what: string }) {
  return (
    <Stack gap="xs" align="center">
      <span>{what} come from the company’s own systems, in a file or by API. To import a file, run</span>
      <Code>npm run inventory -- import FILE</Code>
      <span>
        <code>docs/inventory.md</code> describes the rows.
      </span>
    </Stack>
  );
}
