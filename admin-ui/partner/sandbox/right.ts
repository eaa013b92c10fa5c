/** The right that the parts ask for. In the workspace every member has it. */
export const SANDBOX_RIGHT = 'sandbox:write';
