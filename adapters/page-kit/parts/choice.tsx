type Props = {
  id: string;
  title: string;
  detail: string;
  type: 'checkbox' | 'radio';
  name?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: () => void;
};

/** A box to tick with its explanation. All of it can be tapped; for screen readers the title is the name. */
export function Choice({ id, title, detail, ...input }: Props) {
  return (
    <label class="choice">
      <input {...input} aria-labelledby={`${id}-title`} aria-describedby={`${id}-detail`} />
      <span>
        <strong id={`${id}-title`}>{title}</strong>
        <small id={`${id}-detail`}>{detail}</small>
      </span>
    </label>
  );
}
