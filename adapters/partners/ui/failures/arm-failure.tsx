import { NumberInput, Text } from '@mantine/core';
import { useChange } from '../../../../console-kit/data/view.ts';
import { FormDialog } from '../../../../console-kit/parts/form-dialog.tsx';
import { notify } from '../../../../console-kit/parts/undo.tsx';
import { useSendForm } from '../../../../console-kit/parts/use-send-form.ts';
import { ARM, type FailureKind } from './documents.ts';

interface ArmFailureProps {
  clientId: string;
  kind: FailureKind;
  onClose: () => void;
}

/** How often and for how long a failure is met. */
export function ArmFailure({ clientId, kind, onClose }: ArmFailureProps) {
  const arm = useChange(ARM);
  const { failure, title, says, isState, secondsMean, usualSeconds } = kind;
  const form = useSendForm({
    initialValues: { times: 1, seconds: usualSeconds ?? 1, minutes: 15 },
    send: async ({ times, seconds, minutes }) => {
      await arm.mutateAsync({
        clientId,
        failure,
        minutes,
        ...(!isState && { times }),
        ...(secondsMean !== null && { seconds }),
      });
      notify(`${title} is armed.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Arm: ${title}`}
      confirmLabel="Arm"
      failureTitle="Nothing was armed"
      form={form}
      onClose={onClose}
    >
      <Text size="sm">{says}</Text>
      {!isState && (
        <NumberInput
          label="Calls that meet it"
          required
          data-autofocus
          min={1}
          max={100}
          allowDecimal={false}
          {...form.getInputProps('times')}
        />
      )}
      {secondsMean !== null && (
        <NumberInput
          label="Seconds"
          description={secondsMean.replaceAll('`', '')}
          required
          min={1}
          max={600}
          allowDecimal={false}
          {...form.getInputProps('seconds')}
        />
      )}
      <NumberInput
        label="Minutes"
        description="After which it is no longer armed, 1 to 60."
        required
        min={1}
        max={60}
        allowDecimal={false}
        {...form.getInputProps('minutes')}
      />
    </FormDialog>
  );
}
