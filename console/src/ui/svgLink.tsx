import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** A link within a picture; its label is read by screen readers and shown on hover. */
export function SvgLink({
  to,
  label,
  children,
}: {
  to: string;
  label: string;
  children: ReactNode;
}) {
  return (
    <Link href={to} asChild>
      <a className="plot-link" aria-label={label}>
        <title>{label}</title>
        {children}
      </a>
    </Link>
  );
}
