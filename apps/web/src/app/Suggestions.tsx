import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState, type RefObject } from 'react';
import { query } from '../api/client';
import { useOrg } from '../api/session';
import { missOf, type ShownResult, shownResults, TEXT_MAX } from '../parts/search-results';
import { Button, useGo, wordsOf } from '../ui';
import { to } from './paths';
import css from './Suggestions.module.css';

/** Delay of the search after the last key (milliseconds). */
const PAUSE = 150;
const RESULTS_PER_KIND = 5;

interface Props {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: string;
}

/** Results of the search while the reader types. Arrow keys move through them, Enter opens one, Escape closes the list. */
export function Suggestions({ input, text }: Props) {
  const go = useGo();
  const [open, setOpen] = useState(true);
  const [active, setActive] = useState(-1);
  const settledText = useSettled(text);
  const result = useResults(settledText);
  const isShown = open && text !== '' && settledText !== '';
  const results = isShown ? result.results : [];
  const [textBefore, setTextBefore] = useState(text);
  if (textBefore !== text) {
    setTextBefore(text);
    setActive(-1);
    setOpen(true);
  }
  const leave = (page: string) => {
    setOpen(false);
    void go(page);
  };

  useEffect(() => {
    const field = input.current;
    if (field === null) return;
    field.setAttribute('aria-expanded', String(isShown));
    if (active in results) field.setAttribute('aria-activedescendant', `suggestion-${active}`);
    else field.removeAttribute('aria-activedescendant');
  });

  useEffect(() => {
    const field = input.current;
    if (field === null) return;
    const endController = new AbortController();
    const { signal } = endController;
    const key = (event: KeyboardEvent) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const activeResult = results[active];
      if (step !== 0 && results.length > 0) {
        setActive((before) => (before + step + (before < 0 && step < 0 ? 1 : 0) + results.length) % results.length);
      } else if (event.key === 'Enter' && activeResult !== undefined) leave(activeResult.page);
      else if (event.key === 'Escape' && isShown) setOpen(false);
      else {
        if (event.key === 'Enter') setOpen(false);
        return;
      }
      event.preventDefault();
    };
    field.addEventListener('keydown', key, { signal });
    field.addEventListener('blur', () => setOpen(false), { signal });
    field.addEventListener('focus', () => setOpen(true), { signal });
    return () => endController.abort();
  });

  useEffect(() => document.getElementById(`suggestion-${active}`)?.scrollIntoView({ block: 'nearest' }), [active]);

  return (
    <div className={css.box} hidden={!isShown}>
      <p className={css.note} role="status">
        {isShown && noteOf(result, text, text === settledText)}
      </p>
      <ul className={css.list} id="suggestions" role="listbox" aria-label="Suggestions">
        {results.map((result, i) => (
          <li
            key={`${result.kind} ${result.page} ${result.name}`}
            id={`suggestion-${i}`}
            role="option"
            aria-selected={i === active}
            className={css.option}
            // Keeps the focus in the field.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => leave(result.page)}
          >
            <span className={css.kind}>{wordsOf(result.kind)}</span>
            <bdi className={css.name}>{result.name}</bdi>
            <bdi className={css.text}>{result.place}</bdi>
          </li>
        ))}
      </ul>
      {isShown && (
        <Button look="quiet" excludeFromTabOrder preventFocusOnPress onPress={() => leave(to.search(text))}>
          All results
        </Button>
      )}
    </div>
  );
}

interface Results {
  readonly results: readonly ShownResult[];
  readonly isThere: boolean;
  readonly isFailed: boolean;
}

/** The results for a text. While they load, the previous results; none if the search fails. */
function useResults(q: string): Results {
  const params = { path: { org: useOrg() }, query: { q: q.slice(0, TEXT_MAX), limit: RESULTS_PER_KIND } };
  const { data, isError, isPlaceholderData } = query.useQuery(
    'get',
    '/search/{org}',
    { params },
    { enabled: q !== '', placeholderData: keepPreviousData, throwOnError: false },
  );
  return {
    results: shownResults(q, data?.results ?? []),
    isThere: data !== undefined && !isPlaceholderData,
    isFailed: isError,
  };
}

function noteOf({ results, isThere, isFailed }: Results, text: string, isCurrent: boolean): string {
  if (isFailed) return 'The search does not answer';
  if (!isThere || !isCurrent) return 'Searching';
  const count =
    results.length === 0 ? 'Nothing found' : results.length === 1 ? '1 result' : `${results.length} results`;
  const miss = missOf(text, results);
  return miss === null ? count : `${count}. ${miss}`;
}

/** Returns a text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settledText, setSettledText] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettledText(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settledText;
}
