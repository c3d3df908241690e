import { useEffect } from 'react';
import { signInWithKey, useOfferedKey } from './session';
import { loadLater } from './ui/loadLater';

const KeyOfferDialog = loadLater(() => import('./keyOfferDialog'), { isFloating: true });

/** Asks about a key of the address while a session is open. */
export function KeyOffer({ workspace }: { workspace: string }) {
  const offered = useOfferedKey();
  return offered && <KeyOfferDialog offered={offered} workspace={workspace} />;
}

/** Signs in with a key of the address where no session is open. */
export function useOfferedSignIn(isRefused: boolean): void {
  const key = useOfferedKey();
  useEffect(() => {
    if (isRefused && key) {
      signInWithKey(key);
    }
  }, [isRefused, key]);
}
