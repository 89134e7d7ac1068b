import { useEffect, useRef, type FormEvent } from 'react';
import { Icon, useGo } from '../ui';
import css from './Search.module.css';
import { to } from './paths';

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The search of all pages; `/` leads to it. */
export function Search() {
  const go = useGo();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (text !== '') void go(to.search(text));
  };
  return (
    <form className={css.search} role="search" onSubmit={submit}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        name="q"
        aria-label="Search by name, commit or fingerprint"
        aria-keyshortcuts="/"
        placeholder="Name, commit or fingerprint"
        autoComplete="off"
        spellCheck={false}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
