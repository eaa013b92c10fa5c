import { NumberInput, type NumberInputProps } from '@mantine/core';

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
