import { Button, Group, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

interface SearchBoxProps {
  value: string;
  onSearch: (text: string) => void;
}

/** A search field for anything that has a timeline. Enter searches. */
export function SearchBox({ value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <Group gap="xs" wrap="nowrap">
          <TextInput
            type="search"
            data-list-search
            aria-label="Whose story"
            placeholder="Request id, client_id, grant, ticket, wallet, signature, phone…"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            maxLength={200}
            className="grows"
            maw={640}
          />
          <Button type="submit">Show</Button>
        </Group>
      </form>
    </search>
  );
}
