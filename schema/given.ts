/** An input without its nulls, which mean the same here as what is left out. */
export function given<Input extends object>(input: Input): { [Key in keyof Input]?: NonNullable<Input[Key]> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value != null)) as {
    [Key in keyof Input]?: NonNullable<Input[Key]>;
  };
}
