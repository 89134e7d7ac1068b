import type { ApiKeyAnswer, ServiceAccountAnswer } from '@assurance/contracts/access/answers/access';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { queryOf } from '@assurance/event-sourcing/message';
import { readListing } from '@assurance/event-sourcing/projection/listing';
import type { Ports } from '@assurance/event-sourcing/tokens';
import type { Principal, Refusal } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { err, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { isRetained, keyUses, type StoredKey } from '../domain/keys';
import { canSee } from '../domain/manager';
import { serviceAccount, type ServiceAccount } from '../domain/service-account';
import { user } from '../domain/user';
import { accountAnswer, findServiceAccount } from '../lookups/service-accounts';

/** The service accounts that the caller may see, by name. */
export class ListServiceAccounts extends queryBy<{ principal: Principal }, ServiceAccountAnswer[]>() {}

@QueryHandler(ListServiceAccounts)
export class ListServiceAccountsHandler extends ReadingHandler implements IQueryHandler<ListServiceAccounts> {
  async execute({ caller: { org }, principal }: ListServiceAccounts): Promise<ServiceAccountAnswer[]> {
    const result: ServiceAccountAnswer[] = [];
    const all = readListing<ServiceAccount>(this.ports.documents.collection(serviceAccount.states), {
      where: { org: org.id },
      order: orderBy('name'),
      matches: (account) => !account.deleted && canSee(account, principal),
    });
    for await (const { doc } of all) result.push(accountAnswer(doc));
    return result;
  }
}

/** One service account, with its keys (specification 4.6). */
export class GetServiceAccount extends queryBy<
  { principal: Principal; name: string },
  Result<{ readonly account: ServiceAccountAnswer; readonly keys: readonly ApiKeyAnswer[] }, Refusal>
>() {}

@QueryHandler(GetServiceAccount)
export class GetServiceAccountHandler extends ReadingHandler implements IQueryHandler<GetServiceAccount> {
  async execute({ caller: { org }, principal, name }: GetServiceAccount) {
    const { documents } = this.ports;
    const result = await findServiceAccount(this.ports, org, name);
    if (!result.ok) return result;
    const account = result.value;
    if (!canSee(account, principal)) return err({ kind: 'forbidden' } as const);
    return ok({ account: accountAnswer(account), keys: await keyAnswers(documents, account.keys, this.clock.now()) });
  }
}

export class ListUserKeys extends queryOf<{ userId: string }, ApiKeyAnswer[]>() {}

@QueryHandler(ListUserKeys)
export class ListUserKeysHandler extends ReadingHandler implements IQueryHandler<ListUserKeys> {
  async execute({ userId }: ListUserKeys): Promise<ApiKeyAnswer[]> {
    const { documents } = this.ports;
    const state = await documents.collection(user.states).get(streams.user(userId));
    return keyAnswers(documents, state?.keys ?? [], this.clock.now());
  }
}

async function keyAnswers(
  documents: Ports['documents'],
  keys: readonly StoredKey[],
  at: number,
): Promise<ApiKeyAnswer[]> {
  const retained = keys.filter((key) => isRetained(key, at));
  const uses = await documents.collection(keyUses).getMany(retained.map(({ hash }) => hash));
  return retained.map(({ id, hash, description, createdAt, expiresAt }) => ({
    id,
    description,
    created_at: createdAt / 1_000,
    expires_at: expiresAt,
    last_used_at: uses.get(hash)?.lastUsedAt ?? 0,
  }));
}
