import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Diff } from '../parts/diff.tsx';
import { Moment } from '../parts/moment.tsx';
import type { ClientData } from './document.ts';
import { differencesBetween, nameOfField } from './field-names.ts';
import type { Edit } from './use-edit.ts';

/** Two people edited the same client: both versions side by side, and the choice between them. */
export function StaleEdit({ edit, theirs }: { edit: Edit; theirs: ClientData }) {
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconUsers aria-hidden />}
      title="Somebody else saved this client meanwhile"
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
          differences={differencesBetween(theirs, edit.mine)}
        />
        <Group gap="xs">
          <Button size="xs" onClick={() => void edit.saveOver(theirs)}>
            Save mine
          </Button>
          <Button size="xs" variant="default" onClick={() => edit.goOnFrom(theirs)}>
            Take theirs and go on
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
