import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { failureOf } from '../../../../console-kit/data/failure.ts';
import { MORE_TO_COME } from '../../../../console-kit/parts/use-send-form.ts';
import { useChoices } from './document.ts';

interface EndpointValues {
  url: string;
  types: string[];
}

/** Where an endpoint is and what it is told of. Without an address for one that polls. */
export function EndpointFields({
  form: { getInputProps, values, setFieldValue },
  hasAddress,
}: {
  form: Pick<UseFormReturnType<EndpointValues>, 'getInputProps' | 'values' | 'setFieldValue'>;
  hasAddress: boolean;
}) {
  const types = useChoices().data?.notificationTypes ?? [];
  const isWhole = values.types.length === types.length;
  return (
    <>
      {hasAddress && (
        <TextInput
          label="Address"
          required
          type="url"
          placeholder="https://partner.example/events"
          description="A public https address, port 443 or 8443."
          {...getInputProps('url')}
        />
      )}
      <Checkbox.Group
        label="Events"
        required
        errorProps={{ mt: 'xs' }}
        description={
          <button
            type="button"
            className="text-button"
            onClick={() => setFieldValue('types', isWhole ? [] : types.map(({ name }) => name))}
          >
            {isWhole ? 'Choose none' : 'Choose all'}
          </button>
        }
        {...getInputProps('types')}
      >
        <Stack gap="xs" mt={4}>
          {types.map(({ name, says }) => (
            <Checkbox key={name} value={name} label={name} description={says} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}

/** What is wrong with the fields, before they are sent. */
export const fieldErrors = {
  url: (url: string, hasAddress: boolean) => (hasAddress && url.trim() === '' ? 'Enter the address.' : null),
  types: (chosen: string[]) => (chosen.length === 0 ? 'Choose at least one event.' : null),
};

/** Sends the fields. What the service says of the address stands at its field. */
export async function sendFields(
  send: () => Promise<unknown>,
  setAddressError: (message: string) => void,
): Promise<unknown> {
  try {
    return await send();
  } catch (error) {
    const [, fault] = /^url (.*)$/s.exec(failureOf(error).message) ?? [];
    if (fault === undefined) throw error;
    setAddressError(`The address ${fault}`);
    return MORE_TO_COME;
  }
}
