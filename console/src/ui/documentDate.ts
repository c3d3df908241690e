import { useTranslator } from '../i18n';

interface Dated {
  readonly extractedDate?: string | null;
  readonly createdAt?: string | null;
}

/** Returns a function that says when a document was published or, if nobody knows, that and when it was added. */
export function useDocumentDate() {
  const { t, date } = useTranslator();
  return (document: Dated | null | undefined) => {
    if (document?.extractedDate) {
      return date(document.extractedDate);
    }
    return document?.createdAt && t('document.added', { at: date(document.createdAt) });
  };
}
