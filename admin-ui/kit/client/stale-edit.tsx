import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Diff } from '../parts/diff.tsx';
import { Moment } from '../parts/values.tsx';
import { differencesBetween, type EditedClient, nameOfField } from './registration.ts';
import type { Edit } from './use-edit.ts';

/** Two people edited the same client: both versions side by side, and the choice between them. */
export function StaleEdit({ edit, theirs }: { edit: Edit; theirs: EditedClient }) {
  return (
    <Alert color="yellow" variant="light" icon={<IconUsers aria-hidden />} title="Someone else has saved this client">
      <Stack gap="sm">
        <Text size="sm">
          Your changes were not saved. Theirs were saved <Moment at={theirs.updatedAt} />. “Save mine” replaces only
          what you changed yourself ({edit.changed.map(nameOfField).join(', ')}).
        </Text>
        <Diff
          caption="Their version and yours"
          beforeTitle="Saved by someone else"
          afterTitle="Typed by you"
          differences={differencesBetween(theirs.registration, edit.mine)}
        />
        <Group gap="xs">
          <Button size="xs" onClick={() => void edit.saveOver(theirs)}>
            Save mine
          </Button>
          <Button size="xs" variant="default" onClick={() => edit.goOnFrom(theirs)}>
            Discard mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
