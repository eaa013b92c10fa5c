import { useEffect, useState } from 'preact/hooks';

type Props = {
  /** What the button says, such as `Copy as curl`. */
  label: string;
  /** For screen readers, where the label alone does not say what is copied. */
  name?: string | undefined;
  text: () => string;
};

const SHOWN_MS = 2_000;

/** Copies a text, and says whether it worked. */
export function CopyButton({ label, name, text }: Props) {
  const [outcome, setOutcome] = useState<string>();
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copyText(text())) ? 'Copied' : 'Could not be copied');
  return (
    <>
      <button type="button" class="small button" aria-label={outcome === undefined ? name : undefined} onClick={copy}>
        {outcome ?? label}
      </button>
      <span role="status" class="visually-hidden">
        {outcome}
      </span>
    </>
  );
}

/** The clipboard needs a secure address; elsewhere the old way may work. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  }
}
