import { Radio, Stack, TextInput } from '@mantine/core';
import { PartnerSelect } from '../partner-select.tsx';
import type { StepProps } from './step.ts';

interface BasicsStepProps extends StepProps {
  partnerId: string;
  onPartner: (id: string) => void;
  nameFault: string | undefined;
}

/** Whose client it is, for which world, and its name. */
export function BasicsStep({ registration, change, tried, partnerId, onPartner, nameFault }: BasicsStepProps) {
  const showName = tried || registration.name !== '';
  return (
    <Stack gap="lg" maw={620}>
      <PartnerSelect
        value={partnerId}
        onChange={onPartner}
        error={tried && partnerId === '' ? 'Choose the partner.' : undefined}
      />
      <Radio.Group
        label="Mode"
        description="It can not be changed later: a client lives in one world."
        value={registration.mode}
        onChange={(mode) => change({ mode: mode === 'PRODUCTION' ? 'PRODUCTION' : 'SANDBOX' })}
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
        value={registration.name}
        error={showName && nameFault !== undefined ? `It ${nameFault}.` : undefined}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
    </Stack>
  );
}
