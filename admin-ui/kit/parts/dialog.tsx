import { ClockIcon, KeyIcon } from '@heroicons/react/24/outline';
import {
  Alert,
  Button,
  type ButtonProps,
  Checkbox,
  Group,
  Modal,
  Stack,
  Text,
  Textarea,
  type TextareaProps,
  Tooltip,
} from '@mantine/core';
import type { VariablesOf } from 'gql.tada';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Document, Failure } from '../data/call.ts';
import { useFreshly, usePerson } from '../data/person.ts';
import { useChange } from '../data/view.ts';
import { type Shown, useSendForm } from './form.ts';
import { FailureAlert } from './instead.tsx';
import { notify } from './notify.tsx';
import { CopyText } from './text.tsx';
import { useReturnedFocus } from './use-returned-focus.ts';

interface FormDialogProps {
  title: string;
  /** On the button: the action itself ("Create test users"), never "OK". */
  confirmLabel: string;
  /** Beside it: "Cancel" by default. */
  cancelLabel?: string | undefined;
  /** Shown above a failure: "No test users were created". */
  failureTitle: string;
  dangerous?: boolean | undefined;
  /** Whether something in it is still loading, so that it can’t be confirmed yet. */
  isWaiting?: boolean | undefined;
  /** For one with much to read. */
  isWide?: boolean | undefined;
  form: {
    failure: Failure | null;
    submitting: boolean;
    submit: (event: FormEvent<HTMLFormElement>) => void;
    draft: { isRestored: boolean; discard: () => void; forget: () => void };
    shown: Shown | undefined;
    onClose: (() => void) | undefined;
  };
  /** Where the form does not close it. */
  onClose?: (() => void) | undefined;
  children: ReactNode;
}

/**
 * A form in a dialog, and then the secret that it made. Mount it to open it. Cancel forgets its draft; closing it in another way
 * may be a slip, and does not.
 */
export function FormDialog({ onClose = () => {}, ...props }: FormDialogProps) {
  const { shown, onClose: close = onClose } = props.form;
  return shown ? <SecretDialog {...shown} onClose={close} /> : <OpenForm {...props} onClose={close} />;
}

function OpenForm({ form, onClose, ...rest }: FormDialogProps & { onClose: () => void }) {
  const said = useAsSent(rest, form.submitting);
  const { title, confirmLabel, cancelLabel = 'Cancel', failureTitle, dangerous, children } = said;
  const { isWaiting = false, isWide = false } = said;
  useReturnedFocus();
  const button = useKeptFocus(form.submitting);
  const cancel = () => {
    form.draft.forget();
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={title} size={isWide ? 'xl' : 'md'}>
      <form onSubmit={form.submit} noValidate>
        <Stack gap="md">
          <DraftNote draft={form.draft} />
          {children}
          <FailureAlert failure={form.failure} title={failureTitle} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={cancel}>
              {cancelLabel}
            </Button>
            <Button
              ref={button}
              type="submit"
              {...(dangerous && { color: 'red.9' })}
              loading={form.submitting}
              disabled={isWaiting}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What a dialog says, unchanged while it sends: the page behind it may show the next state already, with the opposite step. */
function useAsSent<Said>(said: Said, isSending: boolean): Said {
  const sent = useRef(said);
  useEffect(() => {
    if (!isSending) sent.current = said;
  });
  return isSending ? sent.current : said;
}

/** A button that is disabled while it sends loses the focus. Where the dialog stays, as after a refusal, the button gets it back. */
function useKeptFocus(isSending: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const hasSent = useRef(false);
  useEffect(() => {
    if (isSending) hasSent.current = true;
    else if (hasSent.current && document.activeElement === document.body) button.current?.focus();
  }, [isSending]);
  return button;
}

interface DraftNoteProps {
  draft: { isRestored: boolean; discard: () => void };
}

/** Above a form that was filled in from its draft. */
export function DraftNote({ draft: { isRestored, discard } }: DraftNoteProps) {
  if (!isRestored) return null;
  return (
    <Alert color="gray" variant="light" role="status" icon={<ClockIcon />} py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">Restored your draft.</Text>
        <Button size="compact-sm" variant="default" onClick={discard}>
          Discard
        </Button>
      </Group>
    </Alert>
  );
}

export interface ActionButtonProps extends ButtonProps {
  /** The right without which it is disabled. */
  right?: string | undefined;
  /** Whether it needs a fresh sign-in, which is asked for first. */
  fresh?: boolean;
  /** What it is done to, for screen readers: on the screen that is beside it. */
  about?: string | undefined;
  /** Why it is disabled for another reason. */
  disabledReason?: string | undefined;
  onClick: () => void;
  children: ReactNode;
}

/** A button that stays visible and focusable while it is disabled, and says why. It is quiet unless it is the main one. */
export function ActionButton({ right, fresh, about, disabledReason, onClick, ...others }: ActionButtonProps) {
  const rest = { variant: 'default', ...others };
  const person = usePerson();
  const freshly = useFreshly();
  const reason = (right === undefined ? undefined : person.disabledReason(right)) ?? disabledReason;
  const children = (
    <>
      {others.children}
      {about !== undefined && <span className="visually-hidden"> {about}</span>}
    </>
  );
  if (reason === undefined) {
    return (
      <Button {...rest} onClick={() => (fresh ? freshly(onClick) : onClick())}>
        {children}
      </Button>
    );
  }
  return (
    <Tooltip label={reason} multiline maw={320}>
      <Button {...rest} data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
        {children}
        <span className="visually-hidden"> ({reason})</span>
      </Button>
    </Tooltip>
  );
}

interface DialogButtonProps extends Omit<ActionButtonProps, 'onClick'> {
  /** The dialog, as it is while open. */
  dialog: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionButton {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

interface ConfirmDialogProps extends Omit<FormDialogProps, 'form' | 'failureTitle' | 'children'> {
  /** What will happen, and to whom. */
  children?: ReactNode;
  /** "Nothing was changed" by default. */
  failureTitle?: string | undefined;
  /** What is asked for before the reason, what it begins with, and what is wrong with an answer. */
  field?:
    | { input: (props: object) => ReactNode; initial?: string; check?: (typed: string) => string | null }
    | undefined;
  /** A box to tick, and whether it is ticked at first. */
  option?: { label: string; description?: string; initial: boolean } | undefined;
  /** The field for the reason; without it no reason is asked for. */
  reason?: { label: string; description?: string; placeholder?: string } | undefined;
  /** Does the action. The dialog stays open and shows what this throws, or the secret of a `ShowOnce` that it returns. */
  run: (reason: string, typed: string, isTicked: boolean) => Promise<unknown>;
  onClose: () => void;
}

/** Asks before an action that affects others. Mount it to open it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { children, field, option, reason, failureTitle = 'Nothing was changed', run, onClose, ...dialog } = props;
  const form = useSendForm({
    initialValues: { typed: field?.initial ?? '', isTicked: option?.initial ?? false, reason: '' },
    validate: {
      typed: (text) => field?.check?.(text.trim()) ?? null,
      reason: (text) => (reason && text.trim() === '' ? 'Enter a reason.' : null),
    },
    send: (values) => run(values.reason.trim(), values.typed.trim(), values.isTicked),
    onClose,
  });
  return (
    <FormDialog {...dialog} failureTitle={failureTitle} form={form}>
      {children !== undefined && (
        <Text size="sm" component="div" className="breakable">
          {children}
        </Text>
      )}
      {field?.input(form.getInputProps('typed'))}
      {option && (
        <Checkbox
          label={option.label}
          description={option.description}
          {...form.getInputProps('isTicked', { type: 'checkbox' })}
        />
      )}
      {reason && <ReasonField {...reason} data-autofocus {...form.getInputProps('reason')} />}
    </FormDialog>
  );
}

interface ConfirmButtonProps
  extends Omit<ConfirmDialogProps, 'onClose'>,
    Omit<ActionButtonProps, 'children' | 'onClick' | 'title'> {
  /** On the button that opens the dialog; `confirmLabel` by default. */
  label?: ReactNode;
}

/** A button whose action has to be confirmed in a dialog; the children are the text of the dialog. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { title, children, confirmLabel, failureTitle, dangerous, isWide, field, option, reason, run, ...rest } = props;
  const dialog = { title, children, confirmLabel, failureTitle, dangerous, isWide, field, option, reason, run };
  const { label = confirmLabel, ...button } = rest;
  return (
    <DialogButton {...button} dialog={(close) => <ConfirmDialog {...dialog} onClose={close} />}>
      {label}
    </DialogButton>
  );
}

interface ChangeButtonProps<D extends Document> extends Omit<ConfirmButtonProps, 'run'> {
  /** The mutation. */
  change: D;
  variables: (reason: string, isTicked: boolean) => VariablesOf<D>;
  /** What a notification says afterwards. */
  done: string;
}

/** A button that performs a mutation once it is confirmed. */
export function ChangeButton<D extends Document>({ change, variables, done, ...confirm }: ChangeButtonProps<D>) {
  const { mutateAsync } = useChange(change);
  return (
    <ConfirmButton
      {...confirm}
      run={async (reason, _, isTicked) => {
        await mutateAsync(variables(reason, isTicked));
        notify(done);
      }}
    />
  );
}

/** Asks why something is done. The answer becomes part of the audit entry. */
export function ReasonField(props: TextareaProps) {
  return (
    <Textarea
      label="Reason"
      description="It is added to the audit log."
      required
      autosize
      minRows={2}
      maxRows={8}
      maxLength={1000}
      {...props}
    />
  );
}

function SecretDialog({ title, secret, label, advice, children, onClose }: Shown & { onClose: () => void }) {
  useReturnedFocus();
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false} size="lg">
      <Stack gap="md">
        <Alert color="ticket" variant="light" icon={<KeyIcon />} title="Shown only once">
          <Text size="sm">{advice}</Text>
        </Alert>
        <CopyText text={secret} label={label} />
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
