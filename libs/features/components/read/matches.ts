import { orderBy } from '@assurance/contracts/events/aggregate';
import type { FurtherMatches } from '@assurance/environments/read/further-matches';
import { type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import { type Matcher, type Matches, prefixedBy } from '@assurance/flows/lookups/matcher';
import type { Caller } from '@assurance/http/query-caller';
import { findPages } from '@assurance/storage-ports';
import { Injectable } from '@nestjs/common';
import { componentsView } from './components/follow';
import { baseOf, componentRows } from './components/rows';

const TOGETHER = 250;

/** Finds components by the beginning of their name or package URL, each once for all versions. */
@Injectable()
export class ComponentMatches implements FurtherMatches {
  constructor(private readonly views: Views) {}

  of(caller: Caller, matcher: Matcher): Promise<ViewAnswer<Matches>> {
    const { text } = matcher;
    const [field, beginning] = text.startsWith('pkg:')
      ? (['package', text] as const)
      : (['base', baseOf(text)] as const);
    const query = { where: { org: caller.org.id, [field]: prefixedBy(beginning) }, order: orderBy(field) };
    return this.views.read(componentsView, caller, (documents) => {
      const seen = new Set<string>();
      return matcher.collect(findPages(documents.collection(componentRows), query, TOGETHER), ({ doc }) => {
        const id = doc.package;
        if (seen.has(id ?? doc.name)) return null;
        seen.add(id ?? doc.name);
        return matcher.match({ kind: 'component', name: doc.name, id }, ['name', doc.name], ['identifier', id]);
      });
    });
  }
}
