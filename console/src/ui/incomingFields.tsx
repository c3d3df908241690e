import { NativeSelect } from '@mantine/core';
import type { MediaProvenance, Visibility } from '../graph/sources/graphql';
import { useTranslator } from '../i18n';

const provenances: readonly MediaProvenance[] = ['OWNED', 'EARNED', 'PAID'];
const visibilities: readonly Visibility[] = ['PUBLIC', 'INTERNAL'];

/** What the documents of a source get. */
export interface Incoming {
  /** Empty leaves it to the text and the workspace. */
  readonly visibility: Visibility | '';
  readonly provenance: MediaProvenance | '';
}

interface IncomingProps {
  readonly values: Incoming;
  readonly isReadOnly: boolean;
  /** Whether the visibility may be left open. */
  readonly isNew: boolean;
  readonly change: (part: Partial<Incoming>) => void;
}

/** Asks who may know the documents of a source, and whose media it is. */
export function IncomingFields({ values, isReadOnly, isNew, change }: IncomingProps) {
  const { t, name } = useTranslator();
  return (
    <>
      <NativeSelect
        label={t('documents.visibility')}
        value={values.visibility}
        disabled={isReadOnly}
        onChange={(event) => change({ visibility: event.currentTarget.value as Visibility | '' })}
        data={[
          ...(isNew ? [{ value: '', label: t('documents.visibilityOpen') }] : []),
          ...visibilities.map((value) => ({ value, label: name('visibility', value) })),
        ]}
      />
      <NativeSelect
        label={t('sources.provenance')}
        value={values.provenance}
        disabled={isReadOnly}
        onChange={(event) =>
          change({ provenance: event.currentTarget.value as MediaProvenance | '' })
        }
        data={[
          { value: '', label: t('sources.provenanceOpen') },
          ...provenances.map((value) => ({ value, label: name('provenance', value) })),
        ]}
      />
    </>
  );
}
