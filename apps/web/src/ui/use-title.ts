import { useEffect } from 'react';
import { useOrg } from '../api/session';

/** Names the document after the page that it shows and its organization; null: another part names it. */
export function useTitle(title: string | null): void {
  const org = useOrg();
  useEffect(() => {
    if (title !== null) document.title = [title, org, 'Deployment Assurance'].filter(Boolean).join(' · ');
  }, [title, org]);
}
