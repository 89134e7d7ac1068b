import { lazy, Suspense, useEffect, useRef, useState, type FormEvent } from 'react';
import { Icon, useGo } from '../ui';
import css from './Search.module.css';
import { to } from './paths';

// Loaded when the reader is about to search.
const Suggestions = lazy(async () => ({ default: (await import('./Suggestions')).Suggestions }));

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Whether keys open the search: Ctrl or Cmd with K anywhere, `/` outside of text fields. */
function leadsHere({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  return ctrlKey || metaKey ? key.toLowerCase() === 'k' : key === '/' && !isWriting(target);
}

/** The search of all pages, with suggestions. */
export function Search() {
  const go = useGo();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isRequested, request] = useState(false);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (!leadsHere(event)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') void go(to.search(text.trim()));
  };
  return (
    <form className={css.search} role="search" onSubmit={submit}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={false}
        aria-controls="suggestions"
        name="q"
        aria-label="Find anything"
        aria-keyshortcuts="/ Control+K Meta+K"
        placeholder="Find anything"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onFocus={() => request(true)}
      />
      <kbd aria-hidden="true">/</kbd>
      <Suspense>{isRequested && <Suggestions input={input} text={text.trim()} />}</Suspense>
    </form>
  );
}
