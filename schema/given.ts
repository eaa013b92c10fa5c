/** An input without its nulls: here a null means the same as a missing member. */
export function given<Input extends object>(input: Input): { [Key in keyof Input]?: NonNullable<Input[Key]> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value != null)) as {
    [Key in keyof Input]?: NonNullable<Input[Key]>;
  };
}
