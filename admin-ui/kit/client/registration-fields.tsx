import { ChevronDownIcon, ChevronRightIcon } from '@heroicons/react/24/outline';
import {
  Button,
  Checkbox,
  Collapse,
  Fieldset,
  Input,
  NumberInput,
  type NumberInputProps,
  Radio,
  type RadioGroupProps,
  SimpleGrid,
  Skeleton,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useId, useState } from 'react';
import { Quiet } from '../parts/text.tsx';
import { type FieldOfLines, LinesField } from './lines-field.tsx';
import { hasMarketplaces, type Registration } from './registration.ts';
import { Origins, type ScopeOption } from './registration-facts.tsx';
import type { useLint } from './use-edit.ts';

/** The mode of a new client. @param production what a production client is */
export function ModeField({ production, ...input }: { production: string } & Omit<RadioGroupProps, 'children'>) {
  return (
    <Radio.Group label="Mode" description="You can’t change it later." {...input}>
      <Stack gap="xs" mt="xs">
        <Radio
          value="SANDBOX"
          label="Sandbox"
          description="Test users and test events only. Ready immediately. Redirect URIs can use http://localhost."
        />
        <Radio value="PRODUCTION" label="Production" description={production} />
      </Stack>
    </Radio.Group>
  );
}

interface RegistrationFieldsProps<Values extends Omit<Registration, 'mode'>> {
  form: Pick<UseFormReturnType<Values>, 'getInputProps' | 'setFieldValue' | 'values'>;
  lint: ReturnType<typeof useLint>;
  client: { mode: Registration['mode']; corsOrigins: readonly string[] };
  /** All scopes; undefined until they are loaded. */
  scopes: readonly ScopeOption[] | undefined;
  /** Only what a review decides about. */
  onlyReviewed?: boolean;
}

/** The fields of a client's registration. */
export function RegistrationFields<Values extends Omit<Registration, 'mode'>>({
  form,
  lint,
  client,
  scopes,
  onlyReviewed = false,
}: RegistrationFieldsProps<Values>) {
  return (
    <>
      {!onlyReviewed && (
        <TextInput
          label="Name"
          description="Fans see it on the consent page."
          required
          maw={520}
          {...form.getInputProps('name')}
          error={lint.errors?.name}
        />
      )}
      <TextInput
        label="Privacy page"
        description="Your company’s. Fans can open it on the consent page, before they allow anything."
        type="url"
        maw={520}
        {...form.getInputProps('privacyUrl')}
        error={lint.errors?.privacyUrl}
      />
      <Stack gap="xs" maw={760}>
        <Title order={3}>Redirect URIs</Title>
        <RedirectUrisField
          {...form.getInputProps('redirectUris')}
          value={form.values.redirectUris}
          error={lint.errors?.redirectUris}
          faults={lint.redirectUriFaults}
          mode={client.mode}
        />
        <Quiet>Origins that can call the API from a browser (CORS):</Quiet>
        <Origins origins={lint.corsOrigins ?? client.corsOrigins} />
      </Stack>
      <Stack gap="xs">
        <Title order={3}>Scopes</Title>
        {scopes ? (
          <ScopesField
            {...form.getInputProps('scopes')}
            value={form.values.scopes}
            error={lint.errors?.scopes}
            options={scopes}
          />
        ) : (
          <Skeleton height={240} />
        )}
      </Stack>
      {hasMarketplaces(form.values) && (
        <MarketplacesField
          {...form.getInputProps('marketplaces')}
          value={form.values.marketplaces}
          error={lint.errors?.marketplaces}
          faults={lint.marketplaceFaults}
          mode={client.mode}
        />
      )}
      <Switch
        label="Any port on loopback"
        description="For native apps: redirect URIs on 127.0.0.1 and [::1] match on any port."
        {...form.getInputProps('loopbackAnyPort', { type: 'checkbox' })}
        error={lint.errors?.loopbackAnyPort}
      />
      {!onlyReviewed && (
        <RetryWindowField
          {...form.getInputProps('refreshRetryWindow')}
          onChange={(seconds) => form.setFieldValue('refreshRetryWindow', seconds as never)}
          error={lint.errors?.refreshRetryWindow}
        />
      )}
    </>
  );
}

interface RedirectUrisFieldProps extends FieldOfLines {
  mode: 'SANDBOX' | 'PRODUCTION';
}

const EXAMPLES = {
  SANDBOX: 'http://localhost:8080/callback',
  PRODUCTION: 'https://app.example.com/callback',
};

/** Redirect URIs, each in a line of its own. */
export function RedirectUrisField({ mode, ...props }: RedirectUrisFieldProps) {
  return (
    <LinesField
      {...props}
      title="Redirect URIs"
      entry="redirect URI"
      placeholder={EXAMPLES[mode]}
      inputMode="url"
      hint="Must match exactly. You can paste several at a time."
    />
  );
}

/** Marketplaces on which the app lists tickets, each in a line of its own. */
export function MarketplacesField({ mode, ...props }: RedirectUrisFieldProps) {
  return (
    <Stack gap="xs" maw={760}>
      <Title order={3}>Marketplaces</Title>
      <Quiet>
        The addresses (base58) on which the app lists tickets: a listing on another one is refused, so a stolen token
        sells nothing elsewhere.{' '}
        {mode === 'SANDBOX'
          ? 'Left empty, it can list on any.'
          : 'A production client that lists tickets is not approved without one.'}
      </Quiet>
      <LinesField
        {...props}
        title="Marketplaces"
        entry="marketplace"
        hint="Up to 20. You can paste several at a time."
      />
    </Stack>
  );
}

interface RetryWindowFieldProps extends Omit<NumberInputProps, 'onChange'> {
  onChange: (seconds: number) => void;
}

/** The retry window of a client, with what it is for and what it risks (D-358). */
export function RetryWindowField({ onChange, ...props }: RetryWindowFieldProps) {
  return (
    <NumberInput
      label="Refresh retry window, in seconds"
      description="How long a refresh token that was just used is accepted once more. Set 10 for an app that keeps refresh tokens in browsers: they send a request again by themselves when its connection breaks, and without a window that ends the fan’s access as theft. The risk: for as long, a stolen copy of that token works too. 0 turns it off."
      min={0}
      max={30}
      allowDecimal={false}
      hideControls
      maw={620}
      {...props}
      onChange={(value) => onChange(Number(value))}
    />
  );
}

interface ScopesFieldProps {
  options: readonly ScopeOption[];
  value: readonly string[];
  onChange: (scopes: string[]) => void;
  error?: ReactNode;
}

/** All scopes in groups, each with what it permits. Those without an endpoint are out of the way. */
export function ScopesField({ options, value, onChange, error }: ScopesFieldProps) {
  const [used, unused] = [true, false].map((inUse) => options.filter((option) => option.inUse === inUse));
  const toggle = (name: string, on: boolean) =>
    // in the order of the service, so that equal choices are equal lists
    onChange(options.map((option) => option.name).filter((each) => (each === name ? on : value.includes(each))));
  return (
    <Stack gap="sm">
      <ScopeGroups options={used ?? []} value={value} onToggle={toggle} />
      <UnusedScopes options={unused ?? []} value={value} onToggle={toggle} />
      {typeof error === 'string' && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}

interface ScopeGroupsProps {
  options: readonly ScopeOption[];
  value: readonly string[];
  onToggle: (name: string, on: boolean) => void;
}

function ScopeGroups({ options, value, onToggle }: ScopeGroupsProps) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
      {[...Map.groupBy(options, ({ group }) => group)].map(([group, scopes]) => (
        <Fieldset key={group} legend={group} radius="md">
          <Stack gap="sm">
            {scopes.map(({ name, says }) => (
              <Checkbox
                key={name}
                checked={value.includes(name)}
                onChange={(event) => onToggle(name, event.currentTarget.checked)}
                label={
                  <Text span ff="monospace" size="sm">
                    {name}
                  </Text>
                }
                description={says}
              />
            ))}
          </Stack>
        </Fieldset>
      ))}
    </SimpleGrid>
  );
}

/** Folded until they are asked for, or where a client has one of them. */
function UnusedScopes(props: ScopeGroupsProps) {
  const chosen = props.options.filter(({ name }) => props.value.includes(name)).length;
  const [isOpen, setOpen] = useState(chosen > 0);
  const id = useId();
  return (
    <Stack gap="xs" align="stretch">
      <Button
        w="fit-content"
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={isOpen ? <ChevronDownIcon width={16} /> : <ChevronRightIcon width={16} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {`No endpoint yet (${props.options.length} scopes${chosen > 0 ? `, ${chosen} chosen` : ''})`}
      </Button>
      <Collapse expanded={isOpen} id={id}>
        <Stack gap="xs">
          <Quiet>No endpoint uses these scopes yet, but fans would still be asked for them on the consent page.</Quiet>
          <ScopeGroups {...props} />
        </Stack>
      </Collapse>
    </Stack>
  );
}
