import { Checkbox, Fieldset, Input, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';

const SCOPES = graphql(`
  query Scopes {
    scopes { name group says isAction }
  }
`);

/** All scopes; they change only with a release. */
export function useScopes() {
  return useView('scopes', SCOPES, {}, { staleTime: Number.POSITIVE_INFINITY });
}

/** A scope as the service explains it. */
interface ScopeOption {
  name: string;
  says: string;
  group: string;
}

interface ScopesFieldProps {
  options: readonly ScopeOption[];
  value: readonly string[];
  onChange: (scopes: string[]) => void;
  error?: ReactNode;
}

/** All scopes in groups, each with what it permits. */
export function ScopesField({ options, value, onChange, error }: ScopesFieldProps) {
  const groups = Map.groupBy(options, ({ group }) => group);
  const toggle = (name: string, on: boolean) =>
    // in the order of the service, so that equal choices are equal lists
    onChange(options.map((option) => option.name).filter((each) => (each === name ? on : value.includes(each))));
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
        {[...groups].map(([group, scopes]) => (
          <Fieldset key={group} legend={group} radius="md">
            <Stack gap="sm">
              {scopes.map(({ name, says }) => (
                <Checkbox
                  key={name}
                  checked={value.includes(name)}
                  onChange={(event) => toggle(name, event.currentTarget.checked)}
                  label={
                    <Text span ff="monospace" size="sm">
                      {name}
                    </Text>
                  }
                  description={says}
                />
              ))}
            </Stack>
          </Fieldset>
        ))}
      </SimpleGrid>
      {typeof error === 'string' && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}
