import { Button, Checkbox, Collapse, Fieldset, Input, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';

/** A scope as the service explains it. */
export interface ScopeOption {
  name: string;
  says: string;
  group: string;
  /** Whether any endpoint requires it. */
  inUse: boolean;
}

interface ScopesFieldProps {
  options: readonly ScopeOption[];
  value: readonly string[];
  onChange: (scopes: string[]) => void;
  error?: ReactNode;
}

/** All scopes in groups, each with what it permits. Those without an endpoint are out of the way. */
export function ScopesField({ options, value, onChange, error }: ScopesFieldProps) {
  const [used, unused] = [true, false].map((inUse) => options.filter((option) => option.inUse === inUse));
  const toggle = (name: string, on: boolean) =>
    // in the order of the service, so that equal choices are equal lists
    onChange(options.map((option) => option.name).filter((each) => (each === name ? on : value.includes(each))));
  return (
    <Stack gap="sm">
      <ScopeGroups options={used ?? []} value={value} onToggle={toggle} />
      <UnusedScopes options={unused ?? []} value={value} onToggle={toggle} />
      {typeof error === 'string' && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}

interface ScopeGroupsProps {
  options: readonly ScopeOption[];
  value: readonly string[];
  onToggle: (name: string, on: boolean) => void;
}

function ScopeGroups({ options, value, onToggle }: ScopeGroupsProps) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
      {[...Map.groupBy(options, ({ group }) => group)].map(([group, scopes]) => (
        <Fieldset key={group} legend={group} radius="md">
          <Stack gap="sm">
            {scopes.map(({ name, says }) => (
              <Checkbox
                key={name}
                checked={value.includes(name)}
                onChange={(event) => onToggle(name, event.currentTarget.checked)}
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
  );
}

/** Folded until they are asked for, or where a client has one of them. */
function UnusedScopes(props: ScopeGroupsProps) {
  const chosen = props.options.filter(({ name }) => props.value.includes(name)).length;
  const [isOpen, setOpen] = useState(chosen > 0);
  const id = useId();
  return (
    <Stack gap="xs" align="stretch">
      <Button
        w="fit-content"
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {`No endpoint yet (${props.options.length} scopes${chosen > 0 ? `, ${chosen} chosen` : ''})`}
      </Button>
      <Collapse expanded={isOpen} id={id}>
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            No endpoint uses these scopes yet, but fans would still be asked for them on the consent page.
          </Text>
          <ScopeGroups {...props} />
        </Stack>
      </Collapse>
    </Stack>
  );
}
