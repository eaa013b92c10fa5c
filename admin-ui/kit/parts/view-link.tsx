import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

type To<Props> = Props & { href: string; children: ReactNode; 'aria-label'?: string };

/** A link to another view, in the font of the text around it unless it has a size. */
export function ViewLink(props: To<AnchorProps>) {
  return <Anchor component={Link} inherit={props.size === undefined} {...props} />;
}

/** A link to another view that looks like a button. */
export function LinkButton(props: To<ButtonProps>) {
  return <Button component={Link} variant="default" {...props} />;
}
