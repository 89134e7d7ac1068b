import { ANNOUNCE, type Announce, BOOTSTRAP, type Bootstrap, IDS, type Ids } from '@assurance/http';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Declarations } from './declarations';
import { Declare, isFirstStart } from './declare';
import { freshSecret } from '../core/fresh-secret';
import { noteNames } from './note-names';
import { Register } from '../core/register';
import { Streams } from '../core/streams';

const FIRST = 'admin';

/** Before anything is served: applies the bootstrap file, or gives an empty store its first user, organization and key. */
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
