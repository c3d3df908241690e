import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { BulkAction, DocumentFilter } from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { GuardedButton } from '../../ui/guardedButton';
import { loadLater } from '../../ui/loadLater';
import { type Selection, countOf, nothingSelected } from './bulk';

const BulkDialog = loadLater(() => import('./bulkDialog'), { isFloating: true });

interface BarProps {
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  /** The documents of the page. */
  readonly page: readonly string[];
  /** The filter of the list, and how many documents match it. */
  readonly filter: DocumentFilter;
  readonly total: number;
  /** Opens the job that was started. */
  readonly open: (jobId: string) => void;
}

/** How many documents are selected, and what can be done with them. */
export function SelectionBar({ selection, select, page, filter, total, open }: BarProps) {
  const { t } = useTranslator();
  const mayEdit = useMay('EDIT');
  const [action, setAction] = useState<BulkAction | null>(null);
  const count = countOf(selection);
  const start = (jobId: string) => {
    setAction(null);
    select(nothingSelected);
    open(jobId);
  };
  return (
    <Group gap="xs" p="md" className="selection" role="group" aria-label={t('bulk.selection')}>
      <Text size="sm" fw={550} role="status">
        {t('bulk.selected', { count })}
      </Text>
      {!selection.filter && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => select({ ids: new Set([...selection.ids, ...page]) })}
        >
          {t('bulk.selectPage')}
        </Button>
      )}
      {!selection.filter && total > page.length && (
        <Button size="compact-sm" variant="subtle" onClick={() => select({ filter, count: total })}>
          {t('bulk.selectAll', { count: total })}
        </Button>
      )}
      {count > 0 && (
        <>
          <Button size="compact-sm" variant="subtle" onClick={() => select(nothingSelected)}>
            {t('bulk.selectNone')}
          </Button>
          {!selection.filter && count <= maxSamples && (
            <Button
              component={Link}
              href={`/personas?${new URLSearchParams([['add', ''], ...[...selection.ids].map((id) => ['document', id])])}`}
              size="compact-sm"
              variant="light"
            >
              {t('personas.build')}
            </Button>
          )}
          {actions.map((one) => (
            <GuardedButton
              key={one}
              allowed={mayEdit}
              size="compact-sm"
              variant="light"
              color={one === 'DELETE' ? 'red' : 'harbor'}
              aria-haspopup="dialog"
              onClick={() => setAction(one)}
            >
              {t(`bulk.action.${one}`)}
            </GuardedButton>
          ))}
        </>
      )}
      {action && (
        <BulkDialog
          action={action}
          selection={selection}
          close={() => setAction(null)}
          start={start}
        />
      )}
    </Group>
  );
}

/** From how many documents a persona is built at most. */
const maxSamples = 50;

const actions = ['UPDATE', 'FIND_STATEMENTS', 'DELETE'] as const;
