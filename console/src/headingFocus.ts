import { useEffect, useRef } from 'react';
import { useSession } from './session';

let isHistoryMove = false; // the browser restores the scroll position after Back and Forward
window.addEventListener('popstate', () => (isHistoryMove = true), { capture: true });
window.addEventListener('pushState', () => (isHistoryMove = false)); // an event of wouter

/**
 * Focuses the heading of the screen, else the main area. Screen readers then read where the user
 * is.
 */
export function focusHeading(): void {
  const main = document.querySelector<HTMLElement>('#main');
  const target = main?.querySelector('h1') ?? main;
  if (target) {
    target.tabIndex = -1;
    target.focus({
      preventScroll: isHistoryMove || new URLSearchParams(window.location.search).has('at'),
    }); // a passage is scrolled to
  }
}

/**
 * Moves the focus to the heading after another screen or session is shown (`isShown`). A user who
 * has moved the focus meanwhile keeps it.
 */
export function useHeadingFocus(path: string, isShown: boolean): void {
  const { generation } = useSession();
  const address = `${generation} ${path}`;
  // The browser announces the first screen itself.
  const shown = useRef(generation === 0 ? address : '');
  useEffect(() => {
    if (!isShown || shown.current === address) {
      return undefined;
    }
    const before = document.activeElement;
    const isReady = () => document.querySelector('#main [aria-busy=false], #main > [role=alert]');
    const move = () => {
      shown.current = address;
      const { activeElement } = document;
      if (activeElement === before || activeElement === document.body) {
        focusHeading();
      }
    };
    if (isReady()) {
      move();
      return undefined;
    }
    const observer = new MutationObserver(() => {
      if (isReady()) {
        observer.disconnect();
        move();
      }
    });
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['aria-busy'],
    });
    return () => observer.disconnect();
  }, [address, isShown]);
}
