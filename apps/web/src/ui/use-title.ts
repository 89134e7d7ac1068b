import { useEffect } from 'react';

/** Names the document after the page that it shows; null: another part names it. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · Deployment Assurance`;
  }, [title]);
}
