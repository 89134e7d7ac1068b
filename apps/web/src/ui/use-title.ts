import { visibleText } from '@assurance/kernel/shown/visible';
import { useEffect } from 'react';
import { useOrg } from '../api/session';

/** Sets the document's title to the page and its organization; null: another part sets the title. */
export function useTitle(title: string | null): void {
  const org = useOrg();
  useEffect(() => {
    if (title !== null) document.title = visibleText([title, org, 'Deployment Assurance'].filter(Boolean).join(' · '));
  }, [title, org]);
}
