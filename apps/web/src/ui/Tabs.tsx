import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Guarded } from './Guarded';
import css from './Tabs.module.css';

interface Props {
  readonly label: string;
  /** Parameters of the address that every part keeps. */
  readonly keep?: readonly string[];
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly content: ReactNode }[];
}

/** Parts of a page of which one is seen: links, as each part has an address. The first one is seen where the address names none. */
export function Tabs({ label, tabs, keep = [] }: Props) {
  const [search] = useSearchParams();
  const requested = search.get('tab');
  const [first] = tabs;
  const chosen = tabs.find(({ id }) => id === requested) ?? first;
  const list = useRef<HTMLElement>(null);
  // Narrow pages show some of the tabs, and always the chosen one.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen?.id]);
  const kept = [...search].filter(([name]) => keep.includes(name));
  const searchOf = (id: string) =>
    new URLSearchParams([...kept, ...(id === first?.id ? [] : [['tab', id]])]).toString();
  return (
    <div className={css.tabs}>
      <nav ref={list} aria-label={label} className={css.list}>
        {tabs.map((tab) => (
          <Link
            key={tab.id}
            className={css.tab}
            to={{ search: searchOf(tab.id) }}
            preventScrollReset
            {...(tab === chosen ? { 'aria-current': 'page' } : {})}
          >
            {tab.title}
          </Link>
        ))}
      </nav>
      <div className={css.panel}>
        <Guarded key={chosen?.id}>{chosen?.content}</Guarded>
      </div>
    </div>
  );
}
