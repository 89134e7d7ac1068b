import { shape, TABLE } from '@assurance/testing/interface/table';
import { type Kind, KINDS } from '../kinds';

/** The kinds of reports, with those fields of their items that published clients send. Items may have more. */
export const PUBLISHED_KINDS: readonly Kind[] = KINDS.map((kind) => {
  const body = shape(TABLE[`PUT /environments/{org}/{env}/report/${kind.kind}`]?.body ?? '');
  const items = body.is === 'object' ? body.fields['artifacts']?.shape : undefined;
  if (items?.is !== 'list' || items.of.is !== 'object') throw new Error(`the table has no items of ${kind.kind}`);
  const { fields } = items.of;
  const published = (says: Kind['says']) =>
    Object.fromEntries(Object.entries(says).filter(([name]) => Object.hasOwn(fields, name)));
  return { ...kind, says: published(kind.says), saysOtherwise: published(kind.saysOtherwise) };
});
