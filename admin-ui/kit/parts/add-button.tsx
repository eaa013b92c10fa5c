import { IconPlus } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import { useDisabledReason } from '../data/person.ts';
import { ActionButton } from './action-button.tsx';

interface AddButtonProps {
  label: string;
  /** The right that adding needs. */
  right: string;
  icon?: typeof IconPlus;
  onClick: () => void;
}

/** The button above a list that adds to it; disabled, with the reason, for those without the right. */
export function AddButton({ label, right, icon: Icon = IconPlus, onClick }: AddButtonProps) {
  return (
    <ActionButton
      leftSection={<Icon size={16} aria-hidden />}
      disabledReason={useDisabledReason(right)}
      onClick={onClick}
    >
      {label}
    </ActionButton>
  );
}

/**
 * A form that the address opens, `?create=1`, for those who have the right.
 * @param kept the parameters that stay beside it when it opens or closes; all where left out
 */
export function useFormInAddress(name: string, right: string, kept?: readonly string[]) {
  const [params, setParams] = useSearchParams();
  const isAllowed = useDisabledReason(right) === undefined;
  const show = (shown: boolean) =>
    setParams(
      (current) => {
        const others = [...current].filter(([each]) => each !== name && (kept?.includes(each) ?? true));
        return new URLSearchParams(shown ? [...others, [name, '1']] : others);
      },
      { replace: true },
    );
  return { isOpen: params.has(name) && isAllowed, open: () => show(true), close: () => show(false) };
}
