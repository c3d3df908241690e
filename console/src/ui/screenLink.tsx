import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** A link to a screen; its text, mostly a title, has its own direction. */
export function ScreenLink({
  to,
  children,
  className,
}: {
  to: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <Anchor component={Link} href={to} className={className} underline="hover" dir="auto">
      {children}
    </Anchor>
  );
}
