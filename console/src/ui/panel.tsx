import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A titled part of a screen. */
export function Panel({
  title,
  actions,
  children,
}: {
  title: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <Title order={2} size="h5" id={id} dir="auto">
          {title}
        </Title>
        {actions}
      </div>
      {children}
    </section>
  );
}
