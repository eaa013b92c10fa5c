import { Radio, Stack, TextInput } from '@mantine/core';
import { PartnerSelect } from '../partner-select.tsx';
import type { StepProps } from '../use-registration.ts';

/** Whose client it is, for which mode, and its name. */
export function BasicsStep({ form, lint }: StepProps) {
  // an empty name is reported only on going on
  const nameError = form.values.name === '' ? form.errors.name : lint.errors?.name;
  return (
    <Stack gap="lg" maw={620}>
      <PartnerSelect {...form.getInputProps('partnerId')} value={form.values.partnerId} />
      <Radio.Group
        label="Mode"
        description="It can not be changed later: a client lives in one world."
        {...form.getInputProps('mode')}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="SANDBOX"
            label="Sandbox"
            description="Test users and test events only. Ready at once; http://localhost may be a redirect URI."
          />
          <Radio
            value="PRODUCTION"
            label="Production"
            description="Real fans. Begins as a draft; a second person approves it, then it is enabled. https only."
          />
        </Stack>
      </Radio.Group>
      <TextInput
        label="Name"
        description="Fans read it on the consent page: the name of the app as they know it."
        required
        {...form.getInputProps('name')}
        error={nameError}
      />
    </Stack>
  );
}
