import { useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { refusalText } from '../../errorTranslation';
import {
  type WriteSubscription,
  KeepWrittenDraftDocument,
  WriteDocument,
} from '../../graph/drafts/graphql';
import { useTranslator } from '../../i18n';
import { problemText } from '../../problemText';
import { useNotice } from '../../ui/notice';
import { useAction } from '../../ui/useAction';
import { warningText } from '../../warningText';
import { type Brief, draftOf, requestOf } from './brief';

/**
 * Has a text written over the screen's socket and keeps it as a draft, whose id `kept` gets. What
 * was written stays shown if it cannot be kept.
 */
export function useBrief(kept: (draftId: string) => void) {
  const client = useClient();
  const translator = useTranslator();
  const notify = useNotice();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isWriting, setWriting] = useState(false);
  const keep = useAction(KeepWrittenDraftDocument);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  const end = (failure: string | null) => {
    stop.current?.();
    stop.current = null;
    setWriting(false);
    setProblem(failure);
  };
  const finish = async (
    brief: Brief,
    written: WriteSubscription['contentGenerateStream']['text'],
  ) => {
    const content = written?.content ?? '';
    setText(content);
    if (written?.warning) {
      notify(warningText(translator, written.warning), true);
    }
    const data = await keep.run({ input: draftOf(brief, content) });
    if (data?.saveDraft) {
      kept(data.saveDraft.draft.id);
    }
  };
  const receive = (brief: Brief, event: WriteSubscription['contentGenerateStream']) => {
    if (event.kind === 'DELTA') {
      setText((before) => before + (event.delta ?? ''));
    } else if (event.kind === 'FAILED') {
      end(event.failure ? refusalText(translator, event.failure.code, event.failure.message) : '');
    } else {
      end(null);
      void finish(brief, event.text);
    }
  };
  const write = (brief: Brief) => {
    setText('');
    setProblem(null);
    setWriting(true);
    const input = requestOf(brief);
    const subscription = client
      .subscription(WriteDocument, { input })
      .subscribe(({ data, error }) => {
        if (error) {
          end(problemText(error, translator.t));
        } else if (data) {
          receive(brief, data.contentGenerateStream);
        }
      });
    stop.current = () => subscription.unsubscribe();
  };
  return { write, text, problem, isBusy: isWriting || keep.fetching };
}
