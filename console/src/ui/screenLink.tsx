import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/**
 * A link to a screen; its text, mostly a title, has its own direction. Within a sentence it is
 * underlined.
 */
export function ScreenLink({
  to,
  children,
  className,
  isInText = false,
}: {
  to: string;
  children: ReactNode;
  className?: string;
  isInText?: boolean;
}) {
  return (
    <Anchor
      component={Link}
      href={to}
      className={className}
      underline={isInText ? 'always' : 'hover'}
      dir="auto"
    >
      {children}
    </Anchor>
  );
}
