import type { ApiKey, ApiKeyEvent } from '@assurance/contracts/access/events';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { freshSecret } from '@assurance/event-sourcing/command/fresh-secret';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { IDS, type Ids } from '@assurance/event-sourcing/tokens';
import { commitAuthorOf, type Caller } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { type Decision, err, ok, refused, type Result, sha256 } from '@assurance/kernel';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  decideCreateKey,
  decideRevokeKey,
  decideRotateKey,
  type KeyRefusal,
  type RotateKey,
} from '../domain/change-keys';
import { problemOf } from '../domain/change-service-account';
import type { StoredKey } from '../domain/keys';
import type { Manager } from '../domain/manager';
import { serviceAccount } from '../domain/service-account';
import { user } from '../domain/user';
import { refusalOf } from './change-service-account';
import { Register } from './register';

/** A change of the keys of a service account or user. */
export type KeyChange =
  | {
      readonly kind: 'create';
      readonly description: string;
      /** Epoch seconds; 0: never. */ readonly expiresAt: number;
    }
  | ({ readonly kind: 'rotate' } & RotateKey)
  | { readonly kind: 'revoke'; readonly id: string };

/** The owner of the keys: the caller, or a service account. */
export type KeyOwner =
  { readonly kind: 'self' } | { readonly kind: 'service-account'; readonly name: string; readonly manager: Manager };

/** A new key with its secret, which is shown only once. */
export interface FreshKey extends Omit<ApiKey, 'hash'> {
  readonly key: string;
  /** Integer milliseconds. */
  readonly createdAt: number;
  /** If the key replaces another one: when the other one stops working (epoch seconds). */
  readonly until: number | null;
}

/** Creates, rotates or revokes an API key. The answer is the new key; null if none was created. */
export class ChangeKeys extends commandBy<{ owner: KeyOwner; change: KeyChange }, FreshKey | null>() {}

@CommandHandler(ChangeKeys)
export class ChangeKeysHandler implements ICommandHandler<ChangeKeys> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  async execute({ caller, owner, change }: ChangeKeys): Promise<Result<FreshKey | null, FeatureRefusal>> {
    const key = freshSecret(this.ids);
    const newKey = { id: this.ids.next(), hash: sha256(key) };
    const outcome = await this.run(caller, owner, (state, at) => decide(state, change, newKey, at));
    if (outcome.kind === 'refused') return err(outcome.refusal);
    if (outcome.kind === 'nothing') return err({ kind: 'key-unknown' });
    const [event] = outcome.events as readonly ApiKeyEvent[];
    if (event === undefined || event.type === 'ApiKeyRevoked') return ok(null);
    const { id, description, expiresAt } = event.type === 'ApiKeyAdded' ? event.data : event.data.by;
    const until = event.type === 'ApiKeyRotated' ? event.data.until : null;
    return ok({ id, key, description, expiresAt, createdAt: outcome.commit.at, until });
  }

  private async run(
    caller: Caller,
    owner: KeyOwner,
    decideKeys: (state: { readonly keys: readonly StoredKey[] }, at: number) => Decision<ApiKeyEvent, KeyRefusal>,
  ) {
    if (owner.kind === 'self') {
      const { actor, correlation } = caller;
      const author = { org: NO_ORGANIZATION, actor, correlation };
      return this.streams.run(
        user,
        streams.user(actor),
        author,
        ({ state }, at): Decision<ApiKeyEvent, FeatureRefusal> =>
          state === null ? refused({ kind: 'forbidden' }) : decideKeys(state, at),
      );
    }
    const { name, manager } = owner;
    const unknownOwner = { kind: 'refused', refusal: refusalOf('unknown', name) } as const;
    const id = await this.register.find(caller.org.id, 'service-account', name);
    if (id === null) return unknownOwner;
    const stream = streams.serviceAccount(id);
    return this.streams.run(
      serviceAccount,
      stream,
      commitAuthorOf(caller),
      ({ state }, at): Decision<ApiKeyEvent, FeatureRefusal> => {
        const problem = problemOf(state, manager);
        if (state === null || problem !== null) return refused(refusalOf(problem ?? 'unknown', name));
        return decideKeys(state, at);
      },
    );
  }
}

function decide(
  state: { readonly keys: readonly StoredKey[] },
  change: KeyChange,
  newKey: Pick<ApiKey, 'id' | 'hash'>,
  at: number,
): Decision<ApiKeyEvent, KeyRefusal> {
  switch (change.kind) {
    case 'create':
      return decideCreateKey(
        state,
        { ...newKey, description: change.description, expiresAt: change.expiresAt },
        { at },
      );
    case 'rotate':
      return decideRotateKey(state, change, { key: newKey, at });
    case 'revoke':
      return decideRevokeKey(state, change);
  }
}
