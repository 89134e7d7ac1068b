import type { DeclarationEvent } from '@assurance/contracts/access/events';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import type { Streams } from '@assurance/event-sourcing/command/streams';
import type { Bootstrap, BootstrapKey } from '@assurance/http';
import { accepted, canonicalJson, type Decision, noChange, sha256 } from '@assurance/kernel';
import { declaration } from '../domain/declaration';
import { bootstrapAuthor, type Declare, forEachConcurrently } from './declare';

/** How many parts are looked up in one call. */
const AT_ONCE = 500;

/** A part of the bootstrap file. */
interface Part {
  /** The name of the part, such as `member/acme/ada`. */
  readonly name: string;
  /** The content of the part, with keys as hashes. */
  readonly says: object;
  readonly enforce: boolean;
  readonly apply: () => Promise<void>;
}

/**
 * Applies the parts of the bootstrap file that changed since they were applied. So a later change or removal by an administrator stays, unless the
 * part changed too or is marked `enforce`.
 */
export class Declarations {
  constructor(
    private readonly streams: Streams,
    private readonly declare: Declare,
  ) {}

  async apply({ users, organizations }: Extract<Bootstrap, { kind: 'file' }>): Promise<void> {
    // Users first, because organizations refer to them.
    await this.applyParts(
      users.map((user) => ({
        name: `user/${user.name}`,
        says: { email: user.email, keys: hashes(user.apiKeys) },
        enforce: user.enforce,
        apply: () => this.declare.user(user),
      })),
    );
    const members: Part[] = [];
    const accounts: Part[] = [];
    await forEachConcurrently(organizations, async ({ name, members: those, serviceAccounts }) => {
      const id = await this.declare.organization(name);
      if (id === null) return;
      const org = { id, name };
      for (const member of those) {
        members.push({
          name: `member/${name}/${member.user}`,
          says: { role: member.role },
          enforce: member.enforce,
          apply: () => this.declare.member(org, member),
        });
      }
      for (const account of serviceAccounts) {
        const { privilege, description, apiKeys } = account;
        accounts.push({
          name: `service-account/${name}/${account.name}`,
          says: { privilege, description, keys: hashes(apiKeys) },
          enforce: account.enforce,
          apply: () => this.declare.serviceAccount(org.id, account),
        });
      }
    });
    // Administrators first, because a new administrator may replace another one.
    const isAdmin = ({ says }: Part) => (says as { role?: string }).role === 'admin';
    await this.applyParts(members.filter(isAdmin));
    await this.applyParts([...members.filter((part) => !isAdmin(part)), ...accounts]);
  }

  private async applyParts(parts: readonly Part[]): Promise<void> {
    for (let from = 0; from < parts.length; from += AT_ONCE) {
      const group = parts.slice(from, from + AT_ONCE);
      const states = await this.streams.states(declaration).getMany(group.map(({ name }) => streams.declaration(name)));
      const changedParts = group.filter(
        ({ name, says, enforce }) => enforce || states.get(streams.declaration(name))?.digest !== digestOf(says),
      );
      await forEachConcurrently(changedParts, async ({ name, says, apply }) => {
        await apply();
        const event: DeclarationEvent = { type: 'DeclarationApplied', version: 1, data: { digest: digestOf(says) } };
        await this.streams.run(
          declaration,
          streams.declaration(name),
          bootstrapAuthor(NO_ORGANIZATION),
          ({ state }): Decision<DeclarationEvent, never> =>
            state?.digest === event.data.digest ? noChange : accepted(event),
        );
      });
    }
  }
}

function hashes(keys: readonly BootstrapKey[]): object[] {
  return keys.map(({ key, description, expiresAt }) => ({ hash: sha256(key), description, expiresAt }));
}

function digestOf(says: object): string {
  return sha256(canonicalJson(says));
}
