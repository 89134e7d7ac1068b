import type { FurtherMatches } from '@assurance/environments/read/further-matches';
import { type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import type { Matcher, Matches } from '@assurance/flows/lookups/matcher';
import type { Caller } from '@assurance/http/query-caller';
import { Injectable } from '@nestjs/common';
import { vulnerabilitiesView } from './vulnerabilities/follow';
import { findVulnerabilityByName } from './vulnerabilities/groups';

/** What every name of a vulnerability has, such as `CVE-2021-44228`. Other texts are not looked up. */
const NAME = /^[^\s/-]+-[^\s/]+$/;

/** Finds the vulnerability that has a text as one of its names. */
@Injectable()
export class VulnerabilityMatches implements FurtherMatches {
  constructor(private readonly views: Views) {}

  async of(caller: Caller, matcher: Matcher): Promise<ViewAnswer<Matches>> {
    const { text } = matcher;
    if (!NAME.test(text)) return { value: { results: [], complete: true }, behind: 0 };
    return this.views.read(vulnerabilitiesView, caller, async (documents) => {
      const found = await findVulnerabilityByName(documents, caller.org.id, text);
      if (found === null) return { results: [], complete: true };
      // One with more entries than an answer may be made of exists, too.
      const { id, aliases } = found === 'too-many' ? { id: text, aliases: [] } : found;
      const alias = aliases.find((name) => name.toLowerCase() === text.toLowerCase());
      const place =
        alias === undefined
          ? ({ found_in: 'name', text: id } as const)
          : ({ found_in: 'identifier', text: alias } as const);
      return { results: [matcher.result({ kind: 'vulnerability', name: id, ...place })], complete: true };
    });
  }
}
