import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Diff } from '../parts/diff.tsx';
import { Moment } from '../parts/moment.tsx';
import { filledIn } from '../registration/use-lint.ts';
import type { ClientData } from './document.ts';
import { differencesBetween, nameOfField } from './field-names.ts';
import type { Edit } from './use-edit.ts';

/** Two people edited the same client: both versions beside each other, and a choice that loses nothing unseen. */
export function StaleEdit({ edit, theirs }: { edit: Edit; theirs: ClientData }) {
  const mine = { ...edit.typed, redirectUris: filledIn(edit.typed.redirectUris) };
  const differences = differencesBetween(theirs, mine);
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconUsers aria-hidden />}
      title="Somebody else saved this client meanwhile"
      role="alert"
    >
      <Stack gap="sm">
        <Text size="sm">
          Nothing of yours was saved. Theirs is of <Moment at={theirs.updatedAt} />. “Save mine” writes only what you
          changed yourself ({edit.changed.map(nameOfField).join(', ')}) over theirs.
        </Text>
        <Diff
          caption="Their version and yours"
          beforeTitle="Saved by somebody else"
          afterTitle="Typed by you"
          differences={differences}
        />
        <Group gap="xs">
          <Button size="xs" onClick={() => void edit.saveOverTheirs()}>
            Save mine
          </Button>
          <Button size="xs" variant="default" onClick={edit.takeTheirs}>
            Take theirs and go on
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
