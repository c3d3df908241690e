import { useEffect, useMemo, useState } from 'react';
import type { Client } from 'urql';
import { createGraphClient, createPlainClient, failureCode } from './client';
import { type FrameOfScreenQuery, FrameOfScreenDocument } from './graph/graphql';
import { type Session, rememberScopes, switchWorkspace, useSession } from './session';

/** Whose page is shown. A key has no user. */
export interface Owner {
  readonly workspaceId: string;
  readonly userId: string | null;
}

/** A response that refused the credentials of a session. */
export interface Refusal {
  /** The number of the session. */
  readonly generation: number;
  readonly code: string;
  /** The owner of the page that was shown; null if none was. */
  readonly owner: Owner | null;
}

function ownerOf(data: FrameOfScreenQuery | undefined): Owner | null {
  const viewer = data?.viewer;
  return viewer?.workspace
    ? { workspaceId: viewer.workspace.id, userId: viewer.user?.id ?? null }
    : null;
}

function cachedOwner(client: Client): Owner | null {
  return ownerOf(
    client.readQuery(FrameOfScreenDocument, {}, { requestPolicy: 'cache-only' })?.data,
  );
}

/**
 * Reports whether the viewer of a new session may see a page: in the same workspace, and as the
 * same user if a user opened it.
 */
function mayContinue(page: Owner, viewer: Owner): boolean {
  return (
    page.workspaceId === viewer.workspaceId &&
    (page.userId === null || page.userId === viewer.userId)
  );
}

/**
 * How a page goes on with a new session: as it is, in another workspace of the same user, from the
 * start, or not at all.
 */
type Continuation =
  | { readonly action: 'continue' | 'switch' | 'restart' }
  | { readonly action: 'refuse'; readonly code: string };

/** Returns how the page goes on. Without a page it starts if the session is not refused. */
async function continuePage(page: Owner | null, session: Session): Promise<Continuation> {
  const { data, error } = await createPlainClient(session, { refuse: () => undefined })
    .query(FrameOfScreenDocument, {})
    .toPromise();
  const viewer = ownerOf(data);
  if (!viewer) {
    return { action: 'refuse', code: failureCode({ error }) ?? 'network' };
  }
  if (!page) {
    rememberScopes(data?.viewer?.scopes ?? []); // so that the first screen asks for what they allow
    return { action: 'restart' };
  }
  if (mayContinue(page, viewer)) {
    return { action: 'continue' };
  }
  const isMember =
    data?.viewer?.workspaces?.nodes.some(({ workspaceId }) => workspaceId === page.workspaceId) ??
    false;
  const isOther = session.workspaceId === null && page.workspaceId !== viewer.workspaceId;
  return { action: isOther && isMember && page.userId === viewer.userId ? 'switch' : 'restart' };
}

/**
 * Returns the client of the page's session. A new value of `page` means that the page starts again.
 * After a refusal the page keeps its client until the next session is known to continue it. A typed
 * key is checked before a page is shown, so its scopes are known.
 */
export function usePageSession() {
  const session = useSession();
  const [shown, setShown] = useState({ session, page: 0 });
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { client, close, access } = useMemo(() => {
    const refuse = (code: string) =>
      setRefusal(
        (before) =>
          before ?? {
            generation: shown.session.generation,
            code,
            owner: cachedOwner(graph.client),
          },
      );
    const graph = createGraphClient(shown.session, { refuse });
    return { ...graph, access: { refuse } };
  }, [shown.session]);
  useEffect(() => close, [close]);
  const isNew = session.generation > (refusal?.generation ?? shown.session.generation);
  const isChecked = refusal !== null && (refusal.owner !== null || session.key !== null);
  if (isNew && !isChecked) {
    setRefusal(null);
    setShown({ session, page: shown.page + 1 });
  }
  useEffect(() => {
    if (!isNew || !isChecked || !refusal) {
      return undefined;
    }
    let isLatest = true;
    void continuePage(refusal.owner, session).then((next) => {
      if (!isLatest) {
        return;
      }
      if (next.action === 'refuse') {
        setRefusal({ ...refusal, generation: session.generation, code: next.code });
      } else if (next.action === 'switch') {
        switchWorkspace(refusal.owner?.workspaceId ?? '');
      } else {
        setRefusal(null);
        setShown(({ page }) => ({ session, page: next.action === 'continue' ? page : page + 1 }));
      }
    });
    return () => {
      isLatest = false;
    };
  }, [isNew, isChecked, refusal, session]);
  return { client, page: shown.page, refusal, access };
}
