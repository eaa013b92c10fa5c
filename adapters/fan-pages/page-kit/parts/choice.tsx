type Props = {
  id: string;
  title: string;
  detail: string;
  /** A word beside the title that makes the choice stand out. */
  mark?: string | undefined;
  type: 'checkbox' | 'radio';
  name?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: () => void;
};

/** A box to tick with its explanation. All of it can be tapped; for screen readers the title is the name. */
export function Choice({ id, title, detail, mark, ...input }: Props) {
  return (
    <label class={mark === undefined ? 'choice' : 'choice acts'}>
      <input
        {...input}
        aria-labelledby={`${id}-title`}
        aria-describedby={mark === undefined ? `${id}-detail` : `${id}-mark ${id}-detail`}
      />
      <span>
        <span class="title">
          <strong id={`${id}-title`}>{title}</strong>
          {mark === undefined ? null : (
            <em id={`${id}-mark`} class="badge">
              {mark}
            </em>
          )}
        </span>
        <small id={`${id}-detail`}>{detail}</small>
      </span>
    </label>
  );
}
