import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';

/** From the `X-Request-Id` of an answer to what is known about the request. */
export function RequestSearch() {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const find = (event: FormEvent) => {
    event.preventDefault();
    const id = text.trim();
    if (id === '') return;
    setText('');
    navigate(`/requests/${encodeURIComponent(id)}`);
  };
  return (
    <search className="request-search">
      <form onSubmit={find}>
        <TextInput
          type="search"
          aria-label="Request ID"
          placeholder="Find by X-Request-Id"
          title="The X-Request-Id header of an answer"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}
