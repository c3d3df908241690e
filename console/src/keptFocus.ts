import { useEffect } from 'react';
import { focusHeading } from './headingFocus';

/** The attributes whose change can take the focus from an element, or let it have the focus. */
const watched = ['disabled', 'data-loading', 'aria-busy'];

/** Returns an element and what contains it, from the inside out. */
function pathOf(element: Element): readonly Element[] {
  const path = [element];
  for (let outer = element.parentElement; outer; outer = outer.parentElement) {
    path.push(outer);
  }
  return path;
}

/** Focuses the next best place after the element of a path: its form, its part of the screen. */
function focusNear([element, ...outer]: readonly Element[]): void {
  const near = outer.find(({ isConnected }) => isConnected);
  const form = element?.isConnected ? element.closest('form') : null;
  const field = form?.querySelector<HTMLElement>(':is(input, select, textarea):enabled');
  const id = near?.closest('section[aria-labelledby]')?.getAttribute('aria-labelledby');
  const heading = id ? document.getElementById(id) : null;
  if (field) {
    field.focus({ preventScroll: true });
  } else if (heading) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  } else if (document.querySelector('#main [aria-busy=false]')) {
    focusHeading();
  }
}

/**
 * Keeps the focus in the screen. An element loses it when it is disabled, for example the button of
 * a request that runs, or removed, for example the form that was sent. The element gets it back
 * when it is enabled again; otherwise the form or the heading of its part of the screen gets it. A
 * press of the pointer beside all controls takes the focus away as usual.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let path: readonly Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      const element = target as Element;
      if (element.closest('#main')) {
        path = pathOf(element);
      } else if (!element.closest('[role=dialog]')) {
        path = []; // a dialog returns the focus to the screen
      }
    };
    const forget = () => (path = []);
    const restore = () => {
      const [element] = path;
      const active = document.activeElement;
      const isLost =
        active === document.body || (active === element && active?.matches(':disabled'));
      if (!element || !isLost || document.querySelector('[role=dialog]')) {
        return;
      }
      if (element.isConnected && !element.matches(':disabled')) {
        (element as HTMLElement).focus({ preventScroll: true });
      } else if (!element.matches('[data-loading]') || !element.isConnected) {
        focusNear(path);
      }
    };
    const observer = new MutationObserver(restore);
    observer.observe(document.body, {
      ...{ subtree: true, childList: true },
      attributeFilter: watched,
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);
}
