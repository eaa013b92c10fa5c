import { NumberInput, Select, Text } from '@mantine/core';
import type { VariablesOf } from 'gql.tada';
import type { ReactNode } from 'react';
import { graphql } from '../data/graphql.ts';
import { REFUSAL, useChange } from '../data/view.ts';
import { ChangeButton, FormDialog } from '../parts/dialog.tsx';
import { useSendForm } from '../parts/form.ts';
import { notify } from '../parts/notify.tsx';

const ARM = graphql(`
  mutation ArmFailure($clientId: ID!, $failure: Failure!, $operation: String, $times: Int, $seconds: Int, $minutes: Int) {
    armFailure(
      clientId: $clientId, failure: $failure, operation: $operation, times: $times, seconds: $seconds, minutes: $minutes
    ) {
      ${REFUSAL} ... on Client { id }
    }
  }
`);

export const DISARM = graphql(`
  mutation DisarmFailure($clientId: ID!, $failure: Failure!) {
    disarmFailure(clientId: $clientId, failure: $failure) { ${REFUSAL} ... on Client { id } }
  }
`);

const END = graphql(`
  mutation EndSimulation($clientId: ID!) {
    endSimulation(clientId: $clientId) { ${REFUSAL} ... on Client { id } }
  }
`);

type FailureName = VariablesOf<typeof ARM>['failure'];

/** A failure that a sandbox client can bring about, as both schemas describe it. */
interface ArmableFailure {
  failure: FailureName;
  title: string;
  says: string;
  /** Holds for every call until it ends, so that no number of calls is asked for. */
  isState: boolean;
  /** The calls that can meet it. */
  calls: readonly { operation: string; label: string }[];
  secondsMean: string | null;
  usualSeconds: number | null;
  mostSeconds: number | null;
}

interface ArmFailureProps {
  clientId: string;
  /** The failures to choose from; a single one is chosen. Undefined while they are read. */
  kinds: readonly ArmableFailure[] | undefined;
  onClose: () => void;
  /** Above the fields. */
  children?: ReactNode;
}

/** The choice of all calls. */
const ANY = 'any';
const MOST_TIMES = 100;
const MOST_MINUTES = 60;

/** Asks which failure is armed, which calls meet it, how many, and for how long. Mount it to open it. */
export function ArmFailure({ clientId, kinds = [], onClose, children }: ArmFailureProps) {
  const arm = useChange(ARM);
  const [only] = kinds.length === 1 ? kinds : [];
  const kindOf = (name: string) => kinds.find(({ failure }) => failure === name);
  const form = useSendForm({
    initialValues: {
      failure: (only?.failure ?? '') as string,
      operation: ANY,
      times: 1 as number | string,
      seconds: (only?.usualSeconds ?? 1) as number | string,
      minutes: 15 as number | string,
    },
    validate: {
      failure: (name) => (kindOf(name) ? null : 'Choose a failure.'),
      times: (times, { failure }) => (kindOf(failure)?.isState ? null : numberError(times, MOST_TIMES)),
      seconds: (seconds, { failure }) => {
        const most = kindOf(failure)?.mostSeconds;
        return most == null ? null : numberError(seconds, most);
      },
      minutes: (minutes) => numberError(minutes, MOST_MINUTES),
    },
    send: async ({ failure: name, operation, times, seconds, minutes }) => {
      const kind = kindOf(name);
      if (!kind) return;
      const { failure, title, isState, secondsMean } = kind;
      await arm.mutateAsync({
        clientId,
        failure,
        minutes: Number(minutes),
        ...(!isState && { times: Number(times), ...(operation !== ANY && { operation }) }),
        ...(secondsMean !== null && { seconds: Number(seconds) }),
      });
      notify(isState ? `${title} is armed.` : `${title} is armed for ${inCalls(Number(times))}.`);
    },
    onClose,
  });
  const kind = kindOf(form.values.failure);
  return (
    <FormDialog
      title={only ? `Arm: ${only.title}` : 'Arm a failure'}
      confirmLabel="Arm"
      failureTitle="Nothing was armed"
      isWaiting={kinds.length === 0}
      form={form}
    >
      {children}
      {!only && (
        <Select
          label="Failure"
          description="The next call of the client that can meet it meets it."
          required
          searchable
          data-autofocus
          openOnFocus={false}
          data={kinds.map(({ failure, title }) => ({ value: failure, label: title }))}
          {...form.getInputProps('failure')}
          onChange={(next) =>
            form.setValues({ failure: next ?? '', operation: ANY, seconds: kindOf(next ?? '')?.usualSeconds ?? 1 })
          }
        />
      )}
      {kind && <Text size="sm">{plainText(kind.says)}</Text>}
      {kind && !kind.isState && (
        <NumberInput
          label="Number of calls"
          description={`How many calls meet it, 1 to ${MOST_TIMES}.`}
          required
          data-autofocus={only !== undefined}
          min={1}
          max={MOST_TIMES}
          allowDecimal={false}
          {...form.getInputProps('times')}
        />
      )}
      {kind && !kind.isState && kind.calls.length > 1 && (
        <Select
          label="Call"
          description="Which call meets it."
          allowDeselect={false}
          openOnFocus={false}
          data={[
            { value: ANY, label: 'Any that can meet it' },
            ...kind.calls.map(({ operation, label }) => ({ value: operation, label })),
          ]}
          {...form.getInputProps('operation')}
        />
      )}
      {kind?.mostSeconds != null && (
        <NumberInput
          label="Seconds"
          description={`${plainText(kind.secondsMean ?? '')} 1 to ${kind.mostSeconds} seconds.`}
          required
          min={1}
          max={kind.mostSeconds}
          allowDecimal={false}
          {...form.getInputProps('seconds')}
        />
      )}
      <NumberInput
        label="Ends after minutes"
        description={
          kind?.isState
            ? `It holds for every call until then, 1 to ${MOST_MINUTES} minutes.`
            : `If no call meets it before, it is disarmed then, 1 to ${MOST_MINUTES} minutes.`
        }
        required
        data-autofocus={only?.isState}
        min={1}
        max={MOST_MINUTES}
        allowDecimal={false}
        {...form.getInputProps('minutes')}
      />
    </FormDialog>
  );
}

/** Ends what is simulated for a client; the children say what that means. */
export function EndSimulation({ client, children }: { client: SimulatedClient; children: ReactNode }) {
  const { id, name, simulation } = client;
  const nothing = simulation.armed.length === 0 && simulation.aheadSeconds === 0;
  return (
    <ChangeButton
      size="xs"
      right="sandbox:write"
      disabledReason={nothing ? 'Nothing is simulated.' : undefined}
      title="End the simulation"
      confirmLabel="End the simulation"
      change={END}
      variables={() => ({ clientId: id })}
      done={`Nothing is simulated for ${name} any more.`}
    >
      {children}
    </ChangeButton>
  );
}

interface SimulatedClient {
  id: string;
  name: string;
  simulation: { armed: readonly unknown[]; aheadSeconds: number };
}

/** The service's text has code in backticks. */
export const plainText = (text: string): string => text.replaceAll('`', '');

/** `1 call`, `3 calls` */
const inCalls = (count: number): string => (count === 1 ? '1 call' : `${count.toLocaleString('en')} calls`);

function numberError(value: number | string, most: number): string | null {
  const number = Number(value);
  return value !== '' && Number.isInteger(number) && number >= 1 && number <= most
    ? null
    : `Enter a whole number from 1 to ${most}.`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `1 day and 2 hours`: the two largest units. */
export function inWords(seconds: number): string {
  let left = seconds;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.slice(0, 2).join(' and ');
}

/** How far the clock of a sandbox client is ahead, as a sentence. */
export function clockSentence(aheadSeconds: number): string {
  return aheadSeconds === 0 ? 'The clock is the real one.' : `The clock is ${inWords(aheadSeconds)} ahead.`;
}
