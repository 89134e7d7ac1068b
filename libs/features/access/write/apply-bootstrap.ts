import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import { freshSecret } from '@assurance/event-sourcing/command/fresh-secret';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { IDS, type Ids } from '@assurance/event-sourcing/tokens';
import { ANNOUNCE, type Announce, BOOTSTRAP, type Bootstrap } from '@assurance/http';
import { forEachConcurrently } from '@assurance/kernel';
import { type Collection, scanPages } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { name as register } from '../domain/name';
import { organization } from '../domain/organization';
import { serviceAccount } from '../domain/service-account';
import { user } from '../domain/user';
import { Declarations } from './declarations';
import { AT_ONCE, bootstrapAuthor, Declare, isFirstStart } from './declare';
import { Register } from './register';

const FIRST = 'admin';

/** Applies the bootstrap file, or gives an empty store its first user, organization and key. It runs before the process serves requests. */
@Injectable()
export class ApplyBootstrap implements OnApplicationBootstrap {
  constructor(
    private readonly streams: Streams,
    private readonly declare: Declare,
    private readonly register: Register,
    @Inject(BOOTSTRAP) private readonly bootstrap: Bootstrap,
    @Inject(ANNOUNCE) private readonly announce: Announce,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await noteNames(this.streams, this.register);
    if (this.bootstrap.kind === 'file') {
      await new Declarations(this.streams, this.declare).apply(this.bootstrap);
      return;
    }
    if (!(await isFirstStart(this.streams))) return;
    const key = freshSecret(this.ids);
    await this.declare.user({ name: FIRST, email: '', apiKeys: [{ key, description: 'first start', expiresAt: 0 }] });
    this.announce(
      `First start: made the organization '${FIRST}', its administrator '${FIRST}' and this API key. It is shown only now:\n\n    ${key}\n`,
    );
  }
}

const PAGE = 500;

interface NamedState {
  readonly id: string;
  readonly name: string;
  readonly org?: string;
}

/**
 * Registers the names of users, organizations and service accounts that are older than the rule that names differ by more than case. Two existing
 * names that differ only by case both stay, and no new name may differ from them only by case. A registered name costs one look-up.
 */
async function noteNames(streamsOf: Streams, names: Register): Promise<void> {
  await registerNames(streamsOf, names, 'account', streamsOf.states(organization));
  await registerNames(streamsOf, names, 'account', streamsOf.states(user));
  await registerNames(streamsOf, names, 'service-account', streamsOf.states(serviceAccount));
}

async function registerNames(
  streamsOf: Streams,
  names: Register,
  kind: 'account' | 'service-account',
  states: Collection<NamedState>,
): Promise<void> {
  for await (const page of scanPages(states, PAGE)) {
    const all = page.map(({ doc: { id, name, org } }) => {
      const place = kind === 'account' ? NO_ORGANIZATION : (org ?? NO_ORGANIZATION);
      return { id, name, place, stream: streams.name(place, `${kind}-any-case`, name.toLowerCase()) };
    });
    const noteStates = await streamsOf.states(register).getMany([...new Set(all.map(({ stream }) => stream))]);
    const missing = all.filter(({ stream }) => !noteStates.has(stream));
    await forEachConcurrently(missing, AT_ONCE, ({ id, name, place }) =>
      names.noteAnyCase(place, kind, name, id, bootstrapAuthor(place)),
    );
  }
}
